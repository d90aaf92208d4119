/// Puts the head of an answer together from the lines libcurl hands over, one by one.
struct HeadParser {
  private(set) var status = 0
  private(set) var headers: [HTTPHeader] = []
  /// Set at the blank line after the head of the final answer; lines that follow are trailers.
  private(set) var isComplete = false

  /// Takes one line, its line end included.
  mutating func add(_ line: String) {
    guard !isComplete else { return }
    let text = line.trimmingTrailing { $0.isWhitespace || $0.isNewline }
    if text.utf8.starts(with: "HTTP/".utf8) {
      let words = text.split(separator: " ")
      status = words.count > 1 ? Int(words[1]) ?? 0 : 0
      headers = []
    } else if text.isEmpty {
      isComplete = status >= 200  // 1xx answers come before the final one (RFC 9110, section 15.2).
    } else if text.first == " " || text.first == "\t" {
      foldIntoLast(text)
    } else if let colon = text.firstIndex(of: ":") {
      let value = text[text.index(after: colon)...].drop(while: \.isWhitespace)
      headers.append(HTTPHeader(String(text[..<colon]), String(value)))
    }
  }

  /// A line that begins with a blank goes on with the one before (RFC 9112, section 5.2).
  private mutating func foldIntoLast(_ text: Substring) {
    guard !headers.isEmpty else { return }
    headers[headers.count - 1].value += " " + text.drop(while: \.isWhitespace)
  }
}

extension String {
  func trimmingTrailing(_ isTrimmed: (Character) -> Bool) -> Substring {
    var result = self[...]
    while let last = result.last, isTrimmed(last) { result.removeLast() }
    return result
  }
}
