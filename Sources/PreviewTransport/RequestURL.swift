/// The parts of a URL that decide whether a request may be sent (RFC 3986, section 3).
///
/// libcurl parses the URL again and has the last word on the host; this refuses what must not get
/// that far.
package struct RequestURL: Equatable, Sendable {
  /// The whole URL, its blanks and non-ASCII bytes behind the authority percent-encoded.
  package let text: String
  /// In lower case.
  package let scheme: String
  /// In lower case, without port; empty for `file:`.
  package let host: String

  package init(_ url: String) throws(HTTPError) {
    guard url.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
      throw .invalidURL("control characters in a URL")
    }
    guard let mark = url.firstRange(of: "://") else {
      throw .invalidURL("'\(url.withoutQuery)' is no URL: 'scheme://' is missing")
    }
    scheme = url[..<mark.lowerBound].lowercased()
    let rest = url[mark.upperBound...]
    let authorityEnd = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
    let authority = rest[..<authorityEnd]
    guard !authority.contains("@") else {
      throw .invalidURL("user name or password in '\(scheme)://…': not sent, take it out")
    }
    guard scheme == "file" || !authority.isEmpty else {
      throw .invalidURL("'\(url.withoutQuery)' names no host")
    }
    host = Self.host(of: authority)
    let resource = rest[authorityEnd...].prefix { $0 != "#" }
    text = "\(scheme)://\(authority)" + Self.encoded(resource)
  }

  /// Whether the host is this machine, which no proxy can reach.
  var isLoopback: Bool {
    host == "localhost" || host == "[::1]" || host.hasPrefix("127.")
  }

  private static func host(of authority: Substring) -> String {
    let end = authority.lastIndex(of: ":")
    guard let end, !authority[end...].contains("]") else { return authority.lowercased() }
    return authority[..<end].lowercased()
  }

  private static func encoded(_ resource: Substring) -> String {
    guard !resource.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return String(resource) }
    var result: [UInt8] = []
    for byte in resource.utf8 {
      if byte > 0x20 && byte < 0x7F {
        result.append(byte)
      } else {
        result.append(UInt8(ascii: "%"))
        result.append(contentsOf: String(byte, radix: 16, uppercase: true).utf8)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}

extension String {
  /// The URL without its query and fragment, fit for a message: queries of signed URLs are secrets.
  package var withoutQuery: String {
    String(prefix { $0 != "?" && $0 != "#" })
  }

  func firstRange(of pattern: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(pattern) {
        return start..<index(start, offsetBy: pattern.count)
      }
      formIndex(after: &start)
    }
    return nil
  }
}
