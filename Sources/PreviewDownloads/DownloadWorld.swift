import PreviewMedia
import PreviewThreads
import PreviewTransport

/// What every run of a downloader works with.
struct DownloadWorld: Sendable {
  let directory: MediaDirectory
  let library: MediaLibrary
  let client: HTTPClient
  /// Where files are checked and synced.
  let disk: BlockingThreads
  let configuration: Downloader.Configuration

  var bootID: String { configuration.bootID }

  /// Waits, unless the task is cancelled.
  func pause(_ duration: Duration) async throws(Fetch.Ending) {
    do { try await configuration.sleep(duration) } catch { throw .stopped }
    if Task.isCancelled { throw .stopped }
  }

  /// The clip of a row that says it is finished, if its file is here and as long as it was.
  func clipOnDisk(_ row: StoredClip?) -> FinishedClip? {
    guard let row, row.state == .finished, let name = row.name,
      let size = directory.size(of: name), size == row.total
    else { return nil }
    return FinishedClip(
      path: directory.path(of: name), byteCount: size, sha256: row.sha256, resumedFrom: size)
  }

  /// The same, but a file that was found by its name alone is read through first, and recorded.
  func checkedClipOnDisk(_ row: StoredClip?) async -> FinishedClip? {
    guard let row, let clip = clipOnDisk(row), clip.sha256 == nil, let name = row.name else {
      return clipOnDisk(row)
    }
    return await adopt(name, source: row.source)
  }

  /// Takes a clip into the library that is on disk under its final name; nil where it is not sound.
  func adopt(_ name: String, source: ClipSource) async -> FinishedClip? {
    let bytes = await disk.run { directory.contents(of: name) }
    guard let bytes, case .sound = MediaCheck.examine(bytes.span) else { return nil }
    let row = StoredClip(
      source: source, state: .finished, name: name, total: bytes.count,
      sha256: Checksum.sha256(bytes), updated: 0)
    try? await library.save(row)
    return clipOnDisk(row)
  }

  /// Whether the new clip of a row may take the place of the file the row names: under a name that
  /// holds no id, a file that is not as it was may be anything.
  func mayReplaceFile(of row: StoredClip) -> Bool {
    guard let name = row.name, let size = directory.size(of: name) else { return true }
    return size == row.total || MediaName.fileID(in: name) != nil
  }

  /// The row of the clip that a redownload was to replace and has not: nil where there is none, or
  /// where its bytes are no longer those it had.
  func unreplaced(_ row: StoredClip) async -> StoredClip? {
    guard let name = row.name, let sha256 = row.sha256 else { return nil }
    let bytes = await disk.run { directory.contents(of: name) }
    guard let bytes, Checksum.sha256(bytes) == sha256 else { return nil }
    return StoredClip(
      source: row.source, state: .finished, name: name, total: bytes.count, sha256: sha256,
      updated: 0)
  }
}
