/// `Content-Range: bytes first-last/total` (RFC 9110, section 14.4).
struct ContentRange: Equatable {
  var first: Int
  var last: Int
  var total: Int

  /// nil for any other form, `*` in place of a number included.
  init?(_ text: String) {
    guard text.lowercased().hasPrefix("bytes ") else { return nil }
    let numbers = text.dropFirst(6).split(separator: "/", omittingEmptySubsequences: false)
    guard numbers.count == 2, let total = Int(digits: numbers[1]) else { return nil }
    let ends = numbers[0].split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = Int(digits: ends[0]), let last = Int(digits: ends[1]) else {
      return nil
    }
    self.first = first
    self.last = last
    self.total = total
  }
}

extension Int {
  /// A number of ASCII digits and nothing else, as in HTTP header fields (RFC 9110, section 5.6).
  init?(digits text: some StringProtocol) {
    guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      return nil
    }
    self.init(text)
  }
}
