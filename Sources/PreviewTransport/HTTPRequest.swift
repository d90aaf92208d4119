/// A GET request.
package struct HTTPRequest: Sendable, Equatable {
  /// Where to, percent-encoded: `http:` or `https:`, or `file:` where `policy` allows it.
  package var url: String
  /// Header fields sent besides the client's own.
  package var headers: [HTTPHeader]
  /// Where a redirect may lead and what schemes are spoken.
  package var policy: Policy
  /// The most bytes the body may have; one more ends the request with `HTTPError.tooLarge`.
  package var maximumBody: Int

  package init(
    url: String, headers: [HTTPHeader] = [], policy: Policy = Policy(), maximumBody: Int = 32 << 20
  ) {
    self.url = url
    self.headers = headers
    self.policy = policy
    self.maximumBody = maximumBody
  }

  /// The value of the first header field of that name, whatever its case.
  package subscript(name: String) -> String? {
    headers.first { $0.name.equalsIgnoringASCIICase(name) }?.value
  }

  /// What a request and its redirects may reach.
  package struct Policy: Sendable, Equatable {
    /// How many redirects are followed, one after the other.
    package var maximumRedirects = 5
    /// Whether `url` itself may be a `file:` URL.
    ///
    /// A redirect never may.
    package var allowsLocalFile = false

    package init(maximumRedirects: Int = 5, allowsLocalFile: Bool = false) {
      self.maximumRedirects = maximumRedirects
      self.allowsLocalFile = allowsLocalFile
    }
  }
}

/// One header field; names compare without regard to case (RFC 9110, section 5.1).
package struct HTTPHeader: Sendable, Equatable {
  package var name: String
  package var value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}
