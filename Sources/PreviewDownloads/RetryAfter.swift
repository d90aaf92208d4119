import PreviewTransport

/// How long a server wants to be left alone (RFC 9110, section 10.2.3).
enum RetryAfter {
  /// Seconds from now, 0 to a day; nil where the answer does not say, or says a time that is past.
  ///
  /// A date is taken relative to the answer's own `Date`, since clocks differ.
  static func seconds(in response: HTTPResponse) -> Int? {
    guard let text = response["Retry-After"] else { return nil }
    if !text.isEmpty, text.allSatisfy({ $0.isASCII && $0.isNumber }) {
      return min(Int(text) ?? .max, 86_400)
    }
    guard let until = HTTPDate.seconds(text),
      let now = response["Date"].flatMap(HTTPDate.seconds), until > now
    else { return nil }
    return min(until - now, 86_400)
  }
}
