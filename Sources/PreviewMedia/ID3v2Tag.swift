/// The tag in front of most MP3 files (id3.org, ID3v2.4 structure, section 3.1).
package enum ID3v2Tag {
  /// The length in bytes of the tag at the start, header and footer included; 0 where there is none.
  package static func length(at bytes: Span<UInt8>) -> Int {
    guard bytes.count >= 10,
      bytes[0] == UInt8(ascii: "I"), bytes[1] == UInt8(ascii: "D"), bytes[2] == UInt8(ascii: "3")
    else { return 0 }
    var size = 0
    for index in 6..<10 {
      guard bytes[index] < 0x80 else { return 0 }
      size = size << 7 | Int(bytes[index])
    }
    let hasFooter = bytes[5] & 0x10 != 0
    return 10 + size + (hasFooter ? 10 : 0)
  }
}
