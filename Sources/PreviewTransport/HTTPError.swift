/// Why a request got no answer, or not all of it.
///
/// `detail` is libcurl's own text. No case carries a query string: signed URLs are secrets.
public enum HTTPError: Error, Equatable, Sendable {
  /// The URL does not parse, or holds user information or control characters.
  case invalidURL(String)
  /// The scheme is none of those the request allows.
  case unsupportedScheme(String)
  /// A redirect leads where the request may not follow, or nowhere.
  case refusedRedirect(String)
  /// More redirects in a row than the request follows.
  case tooManyRedirects(Int)
  /// The host's name has no address.
  case unresolvedHost(String)
  /// No connection to the host.
  case cannotConnect(String)
  /// The TLS handshake failed, or the certificate is not to be trusted.
  case untrusted(String)
  /// The connection ended before the answer did.
  case connectionLost(String)
  /// Next to nothing came for so many seconds.
  case stalled(seconds: Double)
  /// There was no connection after so many seconds.
  case timedOut(seconds: Double)
  /// What came is no HTTP, or a length in it makes no sense.
  case malformedAnswer(String)
  /// The body is longer than so many bytes.
  case tooLarge(limit: Int)
  /// The receiver of the body wanted no more.
  case stopped
  /// The task was cancelled.
  case canceled
  /// The process has no file descriptor or memory left for another connection.
  case exhausted(String)
  /// A local file cannot be read; `errno` says why.
  case unreadableFile(path: String, errno: Int32)
  /// libcurl is not there.
  case unavailable(String)
}
