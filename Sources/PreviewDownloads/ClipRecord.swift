/// What the library knows of one clip.
public struct ClipRecord: Sendable, Equatable {
  /// The clip.
  public var source: ClipSource
  /// Where its download stands.
  public var state: DownloadState
  /// When that changed last, in seconds since 1970.
  public var updated: Int

  /// A record.
  public init(source: ClipSource, state: DownloadState, updated: Int) {
    self.source = source
    self.state = state
    self.updated = updated
  }
}

/// A row of the library: what the next process needs to go on.
struct StoredClip: Equatable, Sendable {
  var source: ClipSource
  var state: DownloadState.Name
  /// The finished clip's file name.
  var name: String?
  /// Bytes of the whole, once a server has said.
  var total: Int?
  /// Of the bytes in the part file.
  var validator: EntityValidator?
  /// Names the run of the system in which the part was written: bytes written before a crash of the
  /// machine may never have reached the disk.
  var bootID: String?
  var sha256: String?
  var failure: DownloadFailure?
  var updated: Int
}
