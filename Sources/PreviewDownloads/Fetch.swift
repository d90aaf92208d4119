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
  /// Fetch the whole although the clip is here.
  let startsOver: Bool
  let report: @Sendable (DownloadMachine.Event) -> Void

  func run() async throws(Ending) -> FinishedClip {
    var row = try await orFail { () async throws(DownloadFailure) in
      try await world.library.clip(source.id)
    }
    if !startsOver, let clip = await world.clipOnDisk(row) { return clip }
    let part = try await claim(expected: row?.total)
    // What another process did while we waited for the part.
    row = try await orFail { () async throws(DownloadFailure) in
      try await world.library.clip(source.id)
    }
    if !startsOver, let clip = try await adopted(row) {
      world.directory.removePart(part.name)
      return clip
    }
    return try await fetch(into: part, row)
  }

  private func fetch(into part: PartFile, _ row: StoredClip?) async throws(Ending) -> FinishedClip {
    var row = row ?? StoredClip(source: source, state: .waiting, updated: 0)
    row.source = source
    // Bytes written before the machine went down may not be those on disk now.
    if startsOver || row.bootID != world.bootID { part.empty() }
    row.state = .downloading
    row.failure = nil
    var transfer = ClipTransfer(source: source, world: world, part: part, row: row, report: report)
    report(.restarted(Progress(received: part.length, expected: row.total)))
    let resumedFrom = part.length
    do throws(Ending) {
      try await orFail { [row] () async throws(DownloadFailure) in try await world.library.save(row)
      }
      while true {
        try await transfer.run()
        if let clip = try await publish(&transfer, resumedFrom: resumedFrom) { return clip }
      }
    } catch {
      await record(error, transfer)
      throw error
    }
  }

  /// Checks the bytes and gives them their name; nil where they are to be fetched once more.
  private func publish(
    _ transfer: inout ClipTransfer, resumedFrom: Int
  ) async throws(Ending) -> FinishedClip? {
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
        sha256: published.sha256, resumedFrom: resumedFrom)
    } catch {
      guard ![.disk, .diskFull].contains(error.reason) else { throw .failed(error) }
      part.empty()
      // Bytes of two answers may have met that do not belong together.
      guard transfer.takeSecondChance() else { throw .failed(error) }
      report(.restarted(Progress()))
      return nil
    }
  }

  /// The part file, once no other process has it.
  private func claim(expected: Int?) async throws(Ending) -> PartFile {
    while true {
      let claim = try await orFail { () async throws(DownloadFailure) in
        try PartFile.claim("\(source.fileID).part", in: world.directory.parts)
      }
      switch claim {
      case .owned(let part): return part
      case .taken(let received):
        report(.progressed(Progress(received: received, expected: expected)))
        try await world.pause(.milliseconds(100))
      }
    }
  }

  /// A clip that is finished by its record, or by its name where a process ended before the record.
  private func adopted(_ row: StoredClip?) async throws(Ending) -> FinishedClip? {
    if let clip = await world.clipOnDisk(row) { return clip }
    guard row?.state != .finished, let name = world.directory.unrecordedName(for: source) else {
      return nil
    }
    return await world.adopt(name, source: source)
  }

  private func record(_ ending: Ending, _ transfer: ClipTransfer) async {
    var row = transfer.row
    switch ending {
    case .stopped: row.state = .paused
    case .failed(let failure):
      row.state = .failed
      row.failure = failure
    }
    // A clip that is here stays finished while it could not be replaced.
    if let name = row.name, world.directory.size(of: name) != nil { row.state = .finished }
    try? await world.library.save(row)
  }

  private func orFail<Value: Sendable>(
    _ work: () async throws(DownloadFailure) -> Value
  ) async throws(Ending) -> Value {
    do throws(DownloadFailure) { return try await work() } catch { throw .failed(error) }
  }
}
