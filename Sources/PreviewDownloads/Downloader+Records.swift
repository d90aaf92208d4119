import Glibc
import PreviewMedia
import PreviewThreads

/// What is on record, and what can be done with it while nothing is downloading.
extension Downloader {
  /// What the library knows, in the order of the last change.
  public func records() async throws(DownloadFailure) -> [ClipRecord] {
    let rows = try await world.library.clips()
    return await world.disk.run { [self] in rows.map(record(of:)) }
  }

  /// What the library knows of one clip.
  public func record(of id: String) async -> ClipRecord? {
    guard let row = try? await world.library.clip(id) else { return nil }
    return record(of: row)
  }

  /// Drops what was fetched of an unfinished clip.
  ///
  /// - Parameter id: the track's id.
  /// - Throws: `disk` where another process is downloading it.
  public func cancel(_ id: String) async throws(DownloadFailure) {
    for download in running(id) {
      download.cancel()
      await download.settled()
    }
    try await drop(id)
  }

  func drop(_ id: String) async throws(DownloadFailure) {
    guard let row = try await world.library.clip(id), row.state != .finished else { return }
    guard
      case .owned(let part) = try PartFile.claim(row.source.partName, in: world.directory.parts)
    else {
      throw DownloadFailure(.disk, "Another process is downloading \(id). Stop it there.")
    }
    defer { part.unlock() }
    world.directory.removePart(part.name)
    // Another process may have finished it before we had the part.
    guard let row = try await world.library.clip(id), row.state != .finished else { return }
    // A clip that was found broken is no clip to keep.
    if row.state == .failed, row.sha256 == nil, let name = row.name,
      MediaName.fileID(in: name) != nil
    {
      world.directory.remove(name)
    }
    if let unreplaced = await world.unreplaced(row) {
      try await world.library.save(unreplaced)
    } else {
      try await world.library.remove(id)
    }
  }

  /// Deletes a finished clip.
  public func remove(_ id: String) async throws(DownloadFailure) {
    guard let row = try await world.library.clip(id), let name = row.name else { return }
    // Under a name without an id, a file that is not as it was may be the person's own.
    let isOurs = world.directory.size(of: name) == row.total || MediaName.fileID(in: name) != nil
    guard !isOurs || world.directory.remove(name) || errno == ENOENT else {
      throw .disk(errno, "delete \(name)")
    }
    try await world.library.remove(id)
  }

  /// What is wrong with a finished clip, by its size, its checksum and its container; nil for a sound
  /// one.
  public func fault(of id: String) async -> DownloadFailure? {
    guard let row = try? await world.library.clip(id), let name = row.name else { return nil }
    let directory = world.directory
    return await world.disk.run {
      guard let bytes = directory.contents(of: name) else {
        return errno == ENOENT
          ? DownloadFailure(.gone, "The file is not there any more. Get it again: preview retry.")
          : .disk(errno, "read \(name)")
      }
      if let sha256 = row.sha256, Checksum.sha256(bytes) != sha256 {
        return DownloadFailure(.truncated, "The file has changed since it was downloaded.")
      }
      return DownloadFailure(MediaCheck.examine(bytes.span))
    }
  }

  /// Records that a finished clip turned out to be broken: the next `download` fetches it anew.
  public func markBroken(_ id: String, _ failure: DownloadFailure) async throws(DownloadFailure) {
    guard var row = try await world.library.clip(id) else { return }
    row.state = .failed
    row.failure = failure
    row.validator = nil
    row.sha256 = nil  // It is no clip to go back to.
    try await world.library.save(row)
  }

  /// Remembers which track a question led to, so that a rerun need not ask.
  public func remember(question: String, id: String) async {
    try? await world.library.remember(question: question, id: id)
  }

  /// The finished or known clip a question led to before.
  public func answer(to question: String) async -> String? {
    (try? await world.library.answer(to: question)) ?? nil
  }

  private func record(of row: StoredClip) -> ClipRecord {
    ClipRecord(source: row.source, state: state(of: row), updated: row.updated)
  }

  /// The state of a row as the disk bears it out: a process that was killed has recorded no end.
  private func state(of row: StoredClip) -> DownloadState {
    let part = world.directory.parts.fileSize(of: row.source.partName) ?? 0
    let progress = Progress(received: part, expected: row.total)
    switch row.state {
    case .waiting: return .waiting
    case .paused: return .paused(progress)
    case .failed:
      return .failed(row.failure ?? DownloadFailure(.disk, "No reason was recorded."), progress)
    case .downloading:
      let isRunning = PartFile.isTaken(row.source.partName, in: world.directory.parts)
      return isRunning ? .downloading(progress) : .paused(progress)
    case .finished:
      return world.clipOnDisk(row).map(DownloadState.finished) ?? .waiting
    }
  }
}
