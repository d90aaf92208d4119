/// Percent-encoding of URLs (RFC 3986, section 2.1) and of form values.
enum PercentEncoding {
  /// Leaves what a URL may hold, escapes already there included, and escapes every other byte.
  ///
  /// - Parameters:
  ///   - text: a URL or a part of one, perhaps with blanks or letters beyond ASCII.
  ///   - isPath: whether `?` and `#` are letters of a path and not the start of query and fragment.
  /// - Returns: what a request line may carry.
  static func repair(_ text: some StringProtocol, isPath: Bool = false) -> String {
    let bytes = Array(text.utf8)
    var result = ""
    for (index, byte) in bytes.enumerated() {
      let isEscape =
        byte == UInt8(ascii: "%") && index + 2 < bytes.count
        && isHexDigit(bytes[index + 1]) && isHexDigit(bytes[index + 2])
      let isAllowed = isUnreserved(byte) || reserved.contains(byte) || isEscape
      if isAllowed, !(isPath && pathBreakers.contains(byte)) {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        result += escaped(byte)
      }
    }
    return result
  }

  /// Escapes a file's path for a `file:` URL; a `%` in it is a `%`.
  static func encodePath(_ path: String) -> String {
    path.utf8.reduce(into: "") { result, byte in
      if isUnreserved(byte) || byte == UInt8(ascii: "/") {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        result += escaped(byte)
      }
    }
  }

  /// Encodes a value as HTML forms do: a blank is `+`, letters, digits and `. - _ *` stay.
  ///
  /// URL Standard, section 5.2.
  static func encodeFormValue(_ value: String) -> String {
    value.utf8.reduce(into: "") { result, byte in
      switch byte {
      case UInt8(ascii: " "): result += "+"
      case UInt8(ascii: "~"): result += escaped(byte)
      case _ where isUnreserved(byte) || byte == UInt8(ascii: "*"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default: result += escaped(byte)
      }
    }
  }

  /// Takes the escapes back; bytes that are no UTF-8 become replacement characters.
  static func decode(_ text: some StringProtocol) -> String {
    let bytes = Array(text.utf8)
    var decoded: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let end = min(index + 3, bytes.count)
      if bytes[index] == UInt8(ascii: "%"), end - index == 3,
        isHexDigit(bytes[index + 1]), isHexDigit(bytes[index + 2]),
        let value = UInt8(String(decoding: bytes[index + 1..<end], as: UTF8.self), radix: 16)
      {
        decoded.append(value)
        index = end
      } else {
        decoded.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: decoded, as: UTF8.self)
  }

  private static let reserved = Set(":/?#[]@!$&'()*+,;=".utf8)
  private static let pathBreakers = Set("?#".utf8)

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    let scalar = Unicode.Scalar(byte)
    return scalar.isASCII && (scalar.properties.isAlphabetic || isDigit(byte))
      || "-._~".utf8.contains(byte)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    Unicode.Scalar(byte).properties.isASCIIHexDigit
  }

  private static func escaped(_ byte: UInt8) -> String {
    (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
  }
}
