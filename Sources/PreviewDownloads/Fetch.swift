import PreviewMedia
import PreviewThreads
import PreviewTransport

/// One run of a download: from the bytes that are here to the finished clip.
struct Fetch: Sendable {
  /// Why a run ended without a clip.
  enum Ending: Error {
    /// The task was cancelled; the bytes are kept.
    case stopped
    case failed(DownloadFailure)
  }

  let source: ClipSource
  let world: DownloadWorld
  /// Fetch although the clip is here.
  let replaces: Bool
  let report: @Sendable (DownloadMachine.Event) -> Void

  func run() async throws(Ending) -> FinishedClip {
    let known = try await storedRow()
    if !replaces, let clip = await world.checkedClipOnDisk(known) { return clip }
    let part = try await claim()
    defer { part.unlock() }
    // What another process did while we waited for the part.
    let row = try await storedRow()
    if let clip = await clipHere(row, part) {
      world.directory.removePart(part.name)
      return clip
    }
    return try await fetch(into: part, row)
  }

  private func fetch(into part: PartFile, _ row: StoredClip?) async throws(Ending) -> FinishedClip {
    guard !source.url.isEmpty else {
      throw .failed(
        DownloadFailure(
          .gone, "Its address is not known any more. Look it up: preview download \(source.id)"))
    }
    var row = row ?? StoredClip(source: source, state: .waiting, updated: 0)
    row.source = source
    if await !world.mayReplaceFile(of: row) { row.name = nil }
    // Bytes beside a finished clip are not of it; bytes written before the machine went down may not
    // be those on disk now.
    if row.state == .finished || row.bootID != world.bootID { part.empty() }
    row.state = .downloading
    row.failure = nil
    var transfer = ClipTransfer(world: world, part: part, row: row, report: report)
    report(.restarted(Progress(received: part.length, expected: row.total)))
    do throws(Ending) {
      try await orFail { [row] () async throws(DownloadFailure) in
        try await world.library.save(row)
      }
      while true {
        try await transfer.run()
        if let clip = try await publish(&transfer) { return clip }
      }
    } catch {
      await record(error, transfer)
      throw error
    }
  }

  /// Checks the bytes and gives them their name; nil where they are to be fetched once more.
  private func publish(_ transfer: inout ClipTransfer) async throws(Ending) -> FinishedClip? {
    let part = transfer.part
    let previous = transfer.row.name
    let needsWholeContainer = !transfer.hasProvenEnd
    do throws(DownloadFailure) {
      let published = try await world.disk.run { () throws(DownloadFailure) in
        try ClipPublisher(source: source, directory: world.directory)
          .publish(part, replacing: previous, needsWholeContainer: needsWholeContainer)
      }
      var row = transfer.row
      row.state = .finished
      row.name = published.name
      row.total = published.byteCount
      row.sha256 = published.sha256
      row.validator = nil
      // Without this record the clip is found again by its name.
      try? await world.library.save(row)
      return FinishedClip(
        path: world.directory.path(of: published.name), byteCount: published.byteCount,
        sha256: published.sha256, resumedFrom: part.keptLength)
    } catch {
      guard ![.disk, .diskFull].contains(error.reason) else { throw .failed(error) }
      // Bytes of two answers may have met that do not belong together.
      let mayFetchAnew = transfer.takeSecondChance()
      part.empty()
      guard mayFetchAnew else { throw .failed(error) }
      report(.restarted(Progress()))
      return nil
    }
  }

  /// The part file, once no other process has it.
  private func claim() async throws(Ending) -> PartFile {
    while true {
      let claim = try await orFail { () async throws(DownloadFailure) in
        try PartFile.claim(source.partName, in: world.directory.parts)
      }
      switch claim {
      case .owned(let part): return part
      case .taken(let received):
        let total = try await storedRow()?.total
        report(.progressed(Progress(received: received, expected: total)))
        try await world.pause(.milliseconds(100))
      }
    }
  }

  /// A clip that is finished by its record, or by its name where a process ended before the record;
  /// such a process leaves no part.
  private func clipHere(_ row: StoredClip?, _ part: PartFile) async -> FinishedClip? {
    if replaces { return nil }
    if let clip = await world.checkedClipOnDisk(row) { return clip }
    guard part.length == 0, row == nil || row?.state == .downloading,
      row?.sha256 == nil,
      let name = world.directory.unrecordedName(for: source, size: row?.total)
    else { return nil }
    return await world.adopt(name, source: source)
  }

  /// Records how the run ended, and tells what is left of the bytes.
  private func record(_ ending: Ending, _ transfer: ClipTransfer) async {
    let part = transfer.part
    var row = transfer.row
    switch ending {
    case .stopped: row.state = .paused
    case .failed(let failure):
      row.state = .failed
      row.failure = failure
      if let unreplaced = await world.unreplaced(row) {
        row = unreplaced
        part.empty()
      }
      if part.length == 0 { world.directory.removePart(part.name) }
      report(.restarted(Progress(received: part.length, expected: row.total)))
    }
    try? await world.library.save(row)
  }

  private func storedRow() async throws(Ending) -> StoredClip? {
    try await orFail { () async throws(DownloadFailure) in try await world.library.clip(source.id) }
  }

  private func orFail<Value: Sendable>(
    _ work: () async throws(DownloadFailure) -> Value
  ) async throws(Ending) -> Value {
    do throws(DownloadFailure) { return try await work() } catch { throw .failed(error) }
  }
}
