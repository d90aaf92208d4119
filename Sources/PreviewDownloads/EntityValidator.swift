import PreviewTransport

/// What tells whether the bytes a server has now are those it had before.
enum EntityValidator: Equatable, Sendable {
  /// A strong entity tag, quotes included (RFC 9110, section 8.8.3).
  case entityTag(String)
  /// A `Last-Modified` that is strong by its distance from `Date` (RFC 9110, section 8.8.2.2).
  case lastModified(String)

  /// The strong validator of an answer; nil where it has none.
  ///
  /// A weak entity tag is no validator for ranges, and where there is a tag the date is not asked.
  init?(of response: HTTPResponse) {
    if let tag = response["ETag"] {
      guard tag.hasPrefix("\""), tag.hasSuffix("\""), tag.utf8.count > 2 else { return nil }
      self = .entityTag(tag)
      return
    }
    guard let modified = response["Last-Modified"], let since = HTTPDate.seconds(modified),
      let date = response["Date"].flatMap(HTTPDate.seconds), date - since >= 1
    else { return nil }
    self = .lastModified(modified)
  }

  /// Reads what `fieldValue` wrote.
  init?(fieldValue: String) {
    guard !fieldValue.isEmpty else { return nil }
    self = fieldValue.hasPrefix("\"") ? .entityTag(fieldValue) : .lastModified(fieldValue)
  }

  /// What `If-Range` carries (RFC 9110, section 13.1.5).
  var fieldValue: String {
    switch self {
    case .entityTag(let value), .lastModified(let value): value
    }
  }

  /// Whether an answer speaks of the same bytes as far as it says anything of them.
  func agrees(with response: HTTPResponse) -> Bool {
    switch self {
    case .entityTag(let tag): response["ETag"].map { $0 == tag } ?? true
    case .lastModified(let date): response["Last-Modified"].map { $0 == date } ?? true
    }
  }
}
