/// What a person typed to name a track.
public enum TrackReference: Sendable, Hashable {
  /// Words to search for, best as `artist - title`.
  case words(String)
  /// A track of iTunes and Apple Music, whose numbers are the same, and the storefront to ask.
  case itunes(id: Int, country: String?)
  /// A track of Deezer.
  case deezer(id: Int)
  /// A track of a local catalog file, by that file's own id.
  case local(id: String)
  /// A recording by its International Standard Recording Code (ISO 3901), without hyphens.
  case isrc(String)
  /// An `http:` or `https:` URL of audio, percent-encoded, without a fragment.
  case url(String)
  /// A plain URL by the 12 hexadecimal digits of its id; only who kept the URL knows it.
  case urlID(String)

  /// Reads what a person typed.
  ///
  /// Links may stand among other words, as the share function of a phone writes them.
  ///
  /// - Parameter text: words, an id such as `itunes:1440833098@gb`, `isrc:` and a code, or a link.
  /// - Throws: `CatalogError` when nothing is typed, or a reference of a known form is broken or
  ///   names something else than one track.
  public init(_ text: String) throws(CatalogError) {
    let words = text.unicodeScalars.split(whereSeparator: Self.isSeparator).map(Substring.init)
    guard let first = words.first else { throw .empty }
    let joined = words.joined(separator: " ")
    if words.count == 1, let reference = try Self.prefixed(String(first)) {
      self = reference
      return
    }
    let links = words.map(Self.withoutSurroundings)
    for link in links where link.contains(".") && link.contains("/") {
      if let reference = try CatalogLink.reference(link) {
        self = reference
        return
      }
    }
    if Self.isWeb(first), words.count > 1 {
      throw .malformed(joined, expected: "a URL without blanks (write %20)")
    }
    if let web = words.count == 1 && Self.isWeb(first) ? first : links.first(where: Self.isWeb) {
      self = .url(try Self.plainURL(String(web)))
    } else {
      self = .words(joined)
    }
  }

  /// The id of the track that is meant, as `Track.id` has it, where it is known without asking.
  public var trackID: String? {
    switch self {
    case .words, .isrc: nil
    case .itunes(let id, _): "itunes:\(id)"
    case .url(let url): Track.id(ofURL: url)
    case .deezer, .local, .urlID: description
    }
  }
}

extension TrackReference: CustomStringConvertible {
  /// The text that names the same track again.
  public var description: String {
    switch self {
    case .words(let words): words
    case .itunes(let id, let country): "itunes:\(id)" + (country.map { "@" + $0 } ?? "")
    case .deezer(let id): "deezer:\(id)"
    case .local(let id): "local:\(id)"
    case .isrc(let code): "isrc:\(code)"
    case .url(let url): url
    case .urlID(let digits): "url:\(digits)"
    }
  }
}

extension TrackReference {
  /// A positive number in decimal digits.
  static func number(_ text: some StringProtocol) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy(isDigit), let value = Int(text), value > 0 else {
      return nil
    }
    return value
  }

  /// Two letters of a country (ISO 3166-1 alpha-2), in small letters; the store knows `uk` as `gb`.
  static func countryCode(_ text: some StringProtocol) -> String? {
    let code = text.lowercased()
    guard code.utf8.count == 2, code.utf8.allSatisfy(isLetter) else { return nil }
    return code == "uk" ? "gb" : code
  }

  /// `itunes:`, `deezer:`, `local:`, `isrc:` and `url:` with what belongs behind them.
  private static func prefixed(_ text: String) throws(CatalogError) -> TrackReference? {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    let value = text[text.index(after: colon)...]
    guard !value.isEmpty, !value.hasPrefix("//") else { return nil }
    switch text[..<colon].lowercased() {
    case "itunes":
      let parts = value.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
      let country = parts.count > 1 ? countryCode(parts[1]) : nil
      guard let id = number(parts[0]), parts.count == 1 || country != nil else {
        throw .malformed(
          text, expected: "a number, as in itunes:1440833098 or itunes:1440833098@gb")
      }
      return .itunes(id: id, country: country)
    case "deezer":
      guard let id = number(value) else {
        throw .malformed(text, expected: "a number, as in deezer:3135556")
      }
      return .deezer(id: id)
    case "local":
      guard isLocalID(value) else {
        throw .malformed(text, expected: "letters, digits, '.', '-' and '_', as in local:1001")
      }
      return .local(id: String(value))
    case "isrc":
      guard let code = isrc(value) else {
        throw .malformed(text, expected: "a code of 12 characters, as in isrc:USRC17607839")
      }
      return .isrc(code)
    case "url":
      let digits = value.lowercased()
      guard digits.utf8.count == 12, digits.unicodeScalars.allSatisfy(\.properties.isASCIIHexDigit)
      else { throw .malformed(text, expected: "12 hexadecimal digits, as in url:0123456789ab") }
      return .urlID(digits)
    case "spotify":
      throw .unsupported(
        "Spotify publishes no previews without a login; name the track as 'artist - title'.")
    default:
      return nil
    }
  }

  /// Whether a local catalog's id can stand in a reference and in a file's name.
  static func isLocalID(_ text: some StringProtocol) -> Bool {
    !text.isEmpty && text.utf8.count <= 64
      && text.utf8.allSatisfy { isDigit($0) || isLetter($0 | 0x20) || "-._".utf8.contains($0) }
  }

  /// Two letters, three letters or digits, seven digits; hyphens between them are left out.
  private static func isrc(_ text: some StringProtocol) -> String? {
    let code = text.uppercased().filter { $0 != "-" }
    let bytes = Array(code.utf8)
    guard bytes.count == 12, bytes[..<2].allSatisfy({ isLetter($0 | 0x20) }),
      bytes[2..<5].allSatisfy({ isDigit($0) || isLetter($0 | 0x20) }),
      bytes[5...].allSatisfy(isDigit)
    else { return nil }
    return code
  }

  /// A URL as the transport wants it: scheme and host in small letters, percent-encoded.
  private static func plainURL(_ text: String) throws(CatalogError) -> String {
    let link = Link(text)
    guard !link.host.isEmpty, !link.authority.contains("%") else {
      throw .malformed(text, expected: "a URL of audio, as in https://example.org/clip.mp3")
    }
    guard !link.authority.contains("@") else {
      throw .malformed(text, expected: "a URL without a user name or password")
    }
    return link.scheme + "://" + link.authority.lowercased() + PercentEncoding.repair(link.target)
  }

  private static func isWeb(_ text: Substring) -> Bool {
    let start = text.prefix(8).lowercased()
    return start.hasPrefix("http://") || start.hasPrefix("https://")
  }

  /// A word without the quotes, brackets and stops that a sentence puts round a link.
  private static func withoutSurroundings(_ word: Substring) -> Substring {
    let opening = "<([{\"'“‘«", closing = ">)]}\"'”’».,;:!?"
    var rest = word.drop { opening.contains($0) }
    while let last = rest.last, closing.contains(last) { rest = rest.dropLast() }
    return rest
  }

  /// Blanks and controls, and the marks without width that come along when text is copied.
  private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x200B, 0x200E, 0x200F, 0x202A...0x202E, 0x2060, 0x2066...0x2069, 0xFEFF: true
    default: scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
  }
}
