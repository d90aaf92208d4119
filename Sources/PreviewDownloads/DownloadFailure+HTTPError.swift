import PreviewThreads
import PreviewTransport

extension DownloadFailure {
  /// What an error of the transport means for a clip, and whether to try again.
  static func of(_ error: HTTPError) -> (DownloadFailure, isWorthARetry: Bool) {
    switch error {
    case .unresolvedHost(let host):
      (DownloadFailure(.offline, "\(host) cannot be found. Is the network there?"), true)
    case .cannotConnect(let detail):
      (DownloadFailure(.offline, "No connection: \(detail). Is the network there?"), true)
    case .connectionLost(let detail):
      (DownloadFailure(.offline, "The connection was lost: \(detail). Go on: preview retry."), true)
    case .exhausted(let detail):
      (DownloadFailure(.offline, "The system allows no more connections: \(detail)."), true)
    case .unavailable(let detail):
      (DownloadFailure(.offline, "libcurl cannot be loaded: \(detail)."), false)
    case .stalled(let seconds), .timedOut(let seconds):
      (
        DownloadFailure(
          .timeout, "Next to nothing came for \(Int(seconds)) s. Go on: preview retry."), true
      )
    case .untrusted(let detail):
      (
        DownloadFailure(
          .tls, "The server's certificate is not to be trusted: \(detail). Is the clock right?"),
        false
      )
    case .malformedAnswer(let detail):
      (DownloadFailure(.server, "The server's answer makes no sense: \(detail)."), false)
    case .tooLarge(let limit):
      (.tooLarge(limit: limit), false)
    case .refusedRedirect(let detail):
      (DownloadFailure(.redirect, "Not followed: \(detail). Look the track up again."), false)
    case .tooManyRedirects(let count):
      (DownloadFailure(.redirect, "More than \(count) redirects in a row."), false)
    case .invalidURL(let detail):
      (DownloadFailure(.refusedAddress, "Not a URL to ask: \(detail)."), false)
    case .unsupportedScheme(let scheme):
      (
        DownloadFailure(.refusedAddress, "'\(scheme):' is not spoken; only http and https are."),
        false
      )
    case .unreadableFile(let path, let errno):
      (
        DownloadFailure(
          errno == 2 ? .gone : .disk, "Cannot read \(path): \(systemMessage(errno))."), false
      )
    case .canceled, .stopped:
      (DownloadFailure(.canceledByLimit, "The transfer was stopped."), false)
    }
  }
}
