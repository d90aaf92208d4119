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
  func clipOnDisk(_ row: StoredClip?) async -> FinishedClip? {
    guard let row, row.state == .finished, let name = row.name,
      let size = directory.size(of: name), size == row.total
    else { return nil }
    return FinishedClip(
      path: directory.path(of: name), byteCount: size, sha256: row.sha256, resumedFrom: size)
  }

  /// Takes a clip into the library that is on disk under its final name; nil where it is not sound.
  func adopt(_ name: String, source: ClipSource) async -> FinishedClip? {
    let bytes = await disk.run { try? directory.contents(of: name) }
    guard let bytes, case .sound = MediaCheck.examine(bytes.span) else { return nil }
    let row = StoredClip(
      source: source, state: .finished, name: name, total: bytes.count,
      sha256: Checksum.sha256(bytes), updated: 0)
    try? await library.save(row)
    return await clipOnDisk(row)
  }
}
