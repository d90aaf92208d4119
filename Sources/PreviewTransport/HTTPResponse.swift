/// The head of an answer: all that comes before the body.
package struct HTTPResponse: Sendable, Equatable {
  /// The status code (RFC 9110, section 15).
  package var status: Int
  /// The header fields in the order they came.
  package var headers: [HTTPHeader]
  /// The URL that answered, after redirects.
  package var url: String

  package init(status: Int, headers: [HTTPHeader], url: String) {
    self.status = status
    self.headers = headers
    self.url = url
  }

  /// The value of the first field of that name, whatever its case.
  package subscript(name: String) -> String? {
    headers.first { $0.name.equalsIgnoringASCIICase(name) }?.value
  }
}

extension String {
  /// Whether both are equal but for the case of ASCII letters, as header names and schemes compare.
  package func equalsIgnoringASCIICase(_ other: String) -> Bool {
    utf8.elementsEqual(other.utf8) { lowercase($0) == lowercase($1) }
  }
}

private func lowercase(_ byte: UInt8) -> UInt8 {
  (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte + 32 : byte
}
