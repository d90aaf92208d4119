/// A request as it came over the wire.
package struct Request: Sendable {
  package var method: String
  /// Path and query.
  package var target: String
  package var headers: [(name: String, value: String)]
  /// How many requests for the same path came before.
  package var ordinal = 0

  /// The target without its query.
  package var path: String { String(target.prefix { $0 != "?" }) }

  /// The value of the first field of that name; `name` in lower case.
  package subscript(name: String) -> String? {
    headers.first { $0.name == name }?.value
  }

  /// The first byte of a `Range: bytes=N-`.
  package var rangeStart: Int? {
    guard let range = self["range"], range.hasPrefix("bytes=") else { return nil }
    return Int(range.dropFirst(6).prefix { $0 != "-" })
  }

  init?(head: String) {
    var lines = head.split(separator: "\r\n")
    guard !lines.isEmpty else { return nil }
    let words = lines.removeFirst().split(separator: " ")
    guard words.count == 3 else { return nil }
    method = String(words[0])
    target = String(words[1])
    headers = lines.compactMap { line in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      return (line[..<colon].lowercased(), String(value))
    }
  }
}
