/// Sends requests over HTTP with libcurl.
public final class HTTPClient: Sendable {
  /// What holds for every request of a client.
  public struct Configuration: Sendable {
    /// How the client introduces itself.
    public var userAgent = "preview"
    /// Seconds until a connection must stand.
    public var connectTimeout = 10.0
    /// Seconds without a byte after which a transfer is given up.
    public var stallTimeout = 20.0
    /// Connections to one host at the same time.
    public var connectionsPerHost = 8

    /// The defaults.
    public init() {}
  }

  private let configuration: Configuration

  /// - Parameter configuration: what holds for every request.
  public init(configuration: Configuration = Configuration()) {
    self.configuration = configuration
  }

  /// Sends a request and collects the body.
  ///
  /// Redirects are followed as the request's policy says. Every status counts as an answer.
  ///
  /// - Parameters:
  ///   - request: what to ask.
  ///   - limit: the most bytes the body may have.
  package func data(
    for request: HTTPRequest, limit: Int = 8 << 20
  ) async throws(HTTPError) -> (response: HTTPResponse, body: [UInt8]) {
    throw .unavailable("not connected yet")
  }
}
