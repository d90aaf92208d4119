import Glibc
import PreviewThreads
public import PreviewTransport

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
    /// Asks for the present address of a clip whose own has died; nil where there is no other.
    public var lookUpAgain: @Sendable (ClipSource) async -> ClipSource? = { _ in nil }
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

  let world: DownloadWorld
  private let slots: JobSlots
  /// The downloads that are under way or paused, by the clip's id.
  ///
  /// Each is held by what runs for it and by whoever asked for it. There is more than one for a clip
  /// only where an earlier one was asked to go on.
  private let downloads = Lock<[String: [Held]]>([:])

  private struct Held: Sendable {
    weak let download: Download?
  }

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
    let disk = BlockingThreads(count: 4)
    let (directory, opened) = try await disk.run { () throws(DownloadFailure) in
      let directory = try MediaDirectory(path: mediaDirectory)
      let opened = try MediaLibrary.open(path: directory.libraryPath, now: configuration.now) {
        path in
        let aside = "\(path).damaged-\(configuration.now())"
        return unsafe rename(path, aside) == 0 ? aside : nil
      }
      return (directory, opened)
    }
    world = DownloadWorld(
      directory: directory, library: opened.library, client: client, disk: disk,
      configuration: configuration)
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
      if let download = downloads[source.id]?.lazy.compactMap(\.download).first { return download }
      let download = Download(source: source, runner: self)
      downloads[source.id] = [Held(download: download)]
      return download
    }
    download.start()
    return download
  }

  /// Downloads a clip anew although it is finished; the one on disk stays until the new one is there.
  public func redownload(_ source: ClipSource) async -> Download {
    let isHere = await record(of: source.id)?.state.name == .finished
    let download = download(source)
    let state = await withTaskCancellationHandler {
      await download.settled()
    } onCancel: {
      download.pause()
    }
    if isHere, state.name == .finished { download.redownload() }
    return download
  }

  /// The downloads of a clip that are under way or paused.
  func running(_ id: String) -> [Download] {
    downloads.withLock { $0[id]?.compactMap(\.download) ?? [] }
  }

  /// Pauses whatever runs and waits until its bytes and records are safe.
  public func pauseAll() async {
    let running = downloads.withLock { $0.values.flatMap { $0.compactMap(\.download) } }
    for download in running { download.pause() }
    for download in running { await download.settled() }
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
      guard !others.contains(where: { $0.download === download }) else { return }
      downloads[download.source.id] = others + [Held(download: download)]
    }
  }

  func ended(_ download: Download) {
    downloads.withLock { downloads in
      guard download.isOver else { return }
      let others = downloads[download.source.id]?.filter {
        $0.download != nil && $0.download !== download
      }
      downloads[download.source.id] = others?.isEmpty == false ? others : nil
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
