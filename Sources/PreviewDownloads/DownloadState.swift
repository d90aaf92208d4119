/// Where a download stands.
public enum DownloadState: Sendable, Equatable {
  /// Nothing has been fetched.
  case waiting
  /// Bytes are arriving, or are about to.
  case downloading(Progress)
  /// The bytes so far are kept; it can go on, also in another process.
  case paused(Progress)
  /// It ended without a clip; the bytes are kept where they can still be of use.
  case failed(DownloadFailure, Progress)
  /// The clip is complete, sound and on disk under its name.
  case finished(FinishedClip)

  /// The state in one word, as in `preview list`.
  public var name: Name {
    switch self {
    case .waiting: .waiting
    case .downloading: .downloading
    case .paused: .paused
    case .failed: .failed
    case .finished: .finished
    }
  }

  /// The five states without what belongs to them.
  public enum Name: String, Sendable, CaseIterable {
    case waiting, downloading, paused, failed, finished
  }

  /// What has been fetched; nil where the state has no progress.
  public var progress: Progress? {
    switch self {
    case .downloading(let progress), .paused(let progress), .failed(_, let progress): progress
    case .waiting, .finished: nil
    }
  }
}

/// How far a download has come, in bytes.
public struct Progress: Sendable, Equatable {
  /// Bytes that are here, those of earlier runs included.
  public var received: Int
  /// Bytes of the whole clip; nil while no server has said.
  public var expected: Int?

  /// A progress; `expected` is dropped where it is less than what is here already.
  public init(received: Int = 0, expected: Int? = nil) {
    self.received = received
    self.expected = expected.flatMap { $0 >= received ? $0 : nil }
  }
}

/// A clip that is complete and on disk.
public struct FinishedClip: Sendable, Equatable {
  /// The absolute path.
  public var path: String
  /// Its size in bytes.
  public var byteCount: Int
  /// SHA-256 of the bytes, 64 hexadecimal digits; nil for a file found without a record of it.
  public var sha256: String?
  /// How many of the bytes were here before the last run began.
  public var resumedFrom: Int

  /// A finished clip.
  public init(path: String, byteCount: Int, sha256: String?, resumedFrom: Int = 0) {
    self.path = path
    self.byteCount = byteCount
    self.sha256 = sha256
    self.resumedFrom = resumedFrom
  }
}
