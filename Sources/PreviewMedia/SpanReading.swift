extension Span<UInt8> {
  /// The unsigned number in `count` (at most 8) bytes, most significant first; nil past the end.
  package func bigEndian(at offset: Int, count: Int) -> UInt64? {
    guard offset >= 0, offset <= self.count - count else { return nil }
    var value: UInt64 = 0
    for index in offset..<offset + count { value = value << 8 | UInt64(self[index]) }
    return value
  }

  /// The unsigned number in `count` (at most 8) bytes, least significant first; nil past the end.
  package func littleEndian(at offset: Int, count: Int) -> UInt64? {
    guard offset >= 0, offset <= self.count - count else { return nil }
    var value: UInt64 = 0
    for index in (offset..<offset + count).reversed() { value = value << 8 | UInt64(self[index]) }
    return value
  }

  /// A four-character code such as `moov`, its bytes read as Latin-1; nil past the end.
  package func fourCC(at offset: Int) -> String? {
    guard offset >= 0, offset <= count - 4 else { return nil }
    var code = String.UnicodeScalarView()
    for index in offset..<offset + 4 { code.append(Unicode.Scalar(self[index])) }
    return String(code)
  }
}
