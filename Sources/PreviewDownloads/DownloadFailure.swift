/// Why a download ended without a clip.
public struct DownloadFailure: Error, Sendable, Equatable {
  /// One word for each kind of failure, as in `preview list` and in JSON.
  public enum Reason: String, Sendable, CaseIterable {
    case gone, forbidden, throttled, offline, timeout, tls, server, redirect
    case refusedAddress = "refused-address"
    case tooLarge = "too-large"
    case notAudio = "not-audio"
    case truncated, encrypted
    case diskFull = "disk-full"
    case disk
    case canceledByLimit = "canceled-by-limit"
  }

  /// The kind of failure.
  public var reason: Reason
  /// A sentence that says what happened and what to do.
  public var message: String

  /// A failure with its sentence.
  public init(_ reason: Reason, _ message: String) {
    self.reason = reason
    self.message = message
  }
}
