/// A pasted link, taken apart.
///
/// Its host may come without a scheme, as people copy it.
struct Link {
  /// In small letters; empty where none was written.
  let scheme: String
  /// What stands between the slashes and the path: host, port, perhaps a user.
  let authority: String
  /// Path and query as they were written; the fragment is never sent.
  let target: String
  /// The parts of the path, escapes taken back, empty ones left out.
  let path: [String]
  /// The fields of the query, escapes taken back; of equal names the first one.
  let query: [String: String]

  /// The authority without its port, in small letters.
  var host: String {
    String(authority.lowercased().prefix { $0 != ":" })
  }

  /// - Parameter text: one word, without blanks.
  init(_ text: some StringProtocol) {
    // Scalars, not characters: a mark behind a "#" makes another character, but no other URL.
    var rest = Substring(text).unicodeScalars
    if let slashes = rest.firstRange(of: "://".unicodeScalars) {
      scheme = Substring(rest[..<slashes.lowerBound]).lowercased()
      rest = rest[slashes.upperBound...]
    } else {
      scheme = ""
    }
    rest = rest.prefix { $0 != "#" }
    let authority = rest.prefix { !"/?\\".unicodeScalars.contains($0) }
    rest = rest[authority.endIndex...]
    self.authority = String(authority)
    target = String(rest)
    let path = rest.prefix { $0 != "?" }
    self.path = path.split(separator: "/").map { PercentEncoding.decode(Substring($0)) }
    let fields = rest[path.endIndex...].dropFirst().split(separator: "&").map {
      $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(Substring.init)
    }
    query = Dictionary(
      fields.map { (String($0[0]), $0.count > 1 ? PercentEncoding.decode($0[1]) : "") },
      uniquingKeysWith: { first, _ in first })
  }

  /// Whether the host is `domain` or lies below it.
  func isUnder(_ domain: String) -> Bool {
    host == domain || host.hasSuffix("." + domain)
  }
}
