import Glibc
import PreviewMedia
import PreviewThreads
public import PreviewTransport
import Synchronization

/// Downloads clips into a media directory, several at a time, and keeps the records of them.
public final class Downloader: Sendable {
  /// What holds for every download.
  public struct Configuration: Sendable {
    /// Downloads at the same time.
    public var jobs = 8
    /// Tries in a row without a byte until a download fails.
    public var retries = 5
    /// Bytes that no clip has.
    public var maximumSize = 32 << 20
    /// Names the run of the system, as `/proc/sys/kernel/random/boot_id` does: bytes of an unfinished
    /// clip are believed only within one.
    public var bootID: String
    /// Waits between tries.
    public var sleep: @Sendable (Duration) async throws -> Void
    /// A random number of seconds from 0 to the argument.
    public var random: @Sendable (Double) -> Double
    /// Seconds since 1970.
    public var now: @Sendable () -> Int

    /// The defaults, with the system's clock.
    ///
    /// - Parameter bootID: names the run of the system.
    public init(bootID: String) {
      self.bootID = bootID
      sleep = { try await Task.sleep(for: $0) }
      random = { Double.random(in: 0...$0) }
      now = { time(nil) }
    }
  }

  /// What is wrong with the library, if anything: a sentence for the person.
  public let warning: String?

  private let world: DownloadWorld
  private let slots: JobSlots
  /// The downloads that are under way or paused, by the clip's id.
  ///
  /// There is more than one for a clip only where an earlier one was asked to go on.
  private let downloads = Mutex<[String: [Download]]>([:])

  /// Opens a media directory, which is made where it is missing.
  ///
  /// - Parameters:
  ///   - mediaDirectory: its absolute path.
  ///   - client: what sends the requests.
  ///   - configuration: what holds for every download.
  /// - Throws: `disk` or `disk-full` where the directory cannot be used.
  public init(
    mediaDirectory: String, client: HTTPClient, configuration: Configuration
  ) async throws(DownloadFailure) {
    let directory = try MediaDirectory(path: mediaDirectory)
    let opened = try MediaLibrary.open(path: directory.libraryPath, now: configuration.now) {
      path in
      let aside = "\(path).damaged-\(configuration.now())"
      return unsafe rename(path, aside) == 0 ? aside : nil
    }
    world = DownloadWorld(
      directory: directory, library: opened.library, client: client,
      disk: BlockingThreads(count: 4), configuration: configuration)
    slots = JobSlots(count: configuration.jobs)
    let isRebuilt = opened.isNew ? await Self.rebuild(opened.library, from: directory) : false
    let lost =
      "The library \(directory.libraryPath) was lost; it is built anew from the clips on disk."
    warning = opened.warning ?? (isRebuilt ? lost : nil)
  }

  /// The download of a clip, begun or gone on with unless it is finished.
  ///
  /// A clip that is being downloaded already is joined, in this process as between processes.
  public func download(_ source: ClipSource) -> Download {
    let download = downloads.withLock { downloads in
      if let download = downloads[source.id]?.first { return download }
      let download = Download(source: source, runner: self)
      downloads[source.id] = [download]
      return download
    }
    download.start()
    return download
  }

  /// Downloads a clip anew although it is finished; the one on disk stays until the new one is there.
  public func redownload(_ source: ClipSource) async -> Download {
    let isHere = await record(of: source.id)?.state.name == .finished
    let download = download(source)
    if isHere, await download.settled().name == .finished { download.redownload() }
    return download
  }

  /// Pauses whatever runs and waits until its bytes and records are safe.
  public func pauseAll() async {
    let running = downloads.withLock { $0.values.flatMap(\.self) }
    for download in running { download.pause() }
    for download in running { await download.settled() }
  }

  /// What the library knows, in the order of the last change.
  public func records() async throws(DownloadFailure) -> [ClipRecord] {
    try await world.library.clips().map(record(of:))
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
    for download in downloads.withLock({ $0[id] ?? [] }) {
      download.cancel()
      await download.settled()
    }
    try await drop(id)
  }

  private func drop(_ id: String) async throws(DownloadFailure) {
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
    if let unreplaced = await world.unreplaced(row) {
      try await world.library.save(unreplaced)
    } else {
      try await world.library.remove(id)
    }
  }

  /// Deletes a finished clip.
  public func remove(_ id: String) async throws(DownloadFailure) {
    guard let row = try await world.library.clip(id), let name = row.name else { return }
    guard world.directory.remove(name) || errno == ENOENT else {
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
      do throws(DownloadFailure) {
        let bytes = try directory.contents(of: name)
        if let sha256 = row.sha256, Checksum.sha256(bytes) != sha256 {
          return DownloadFailure(.truncated, "The file has changed since it was downloaded.")
        }
        return DownloadFailure(MediaCheck.examine(bytes.span))
      } catch {
        return error
      }
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

  /// Records the clips that are on disk with an id in their name, after the library was lost.
  ///
  /// - Parameters:
  ///   - library: a new one.
  ///   - directory: where the clips are.
  /// - Returns: whether there are any.
  private static func rebuild(_ library: MediaLibrary, from directory: MediaDirectory) async -> Bool
  {
    var isAny = false
    for (name, size) in directory.namesWithID() {
      guard let source = ClipSource(fileName: name) else { continue }
      let row = StoredClip(source: source, state: .finished, name: name, total: size, updated: 0)
      try? await library.save(row)
      isAny = true
    }
    return isAny
  }
}

extension Downloader: DownloadRunner {
  func began(_ download: Download) {
    downloads.withLock { downloads in
      let others = downloads[download.source.id] ?? []
      guard !others.contains(where: { $0 === download }) else { return }
      downloads[download.source.id] = others + [download]
    }
  }

  func ended(_ download: Download) {
    downloads.withLock { downloads in
      guard download.isOver else { return }
      let others = (downloads[download.source.id] ?? []).filter { $0 !== download }
      downloads[download.source.id] = others.isEmpty ? nil : others
    }
  }

  func withSlot(_ work: () async -> Void) async {
    guard await slots.acquire() else { return }
    await work()
    slots.release()
  }

  func run(
    _ source: ClipSource, replaces: Bool,
    report: @escaping @Sendable (DownloadMachine.Event) -> Void
  ) async throws(Fetch.Ending) -> FinishedClip {
    try await Fetch(source: source, world: world, replaces: replaces, report: report).run()
  }

  func discard(_ source: ClipSource) async {
    try? await drop(source.id)
  }

  func delete(_ source: ClipSource) async {
    try? await remove(source.id)
  }
}
