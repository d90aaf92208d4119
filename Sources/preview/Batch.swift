import PreviewCatalog
import PreviewDownloads
import Synchronization

/// Finds and downloads a list of tracks, several at a time, while a person or a signal may step in.
final class Batch: Sendable {
  /// A track on its way.
  private enum Entry: Sendable {
    case download(Download)
    case failed(ExitCode)
  }

  private let rooms: Rooms
  private let options: Options
  private let context: Context
  private let reporter: any Reporter
  private let display: TransferDisplay?
  private let keyboard: Keyboard?
  private let downloads = Mutex<[Download]>([])
  private let decision = Mutex<CheckedContinuation<Bool, Never>?>(nil)

  /// What is done with a finished clip, in the order asked for; `.done` unless something went wrong.
  private let onFinished: @Sendable (ClipSource, FinishedClip) async -> ExitCode

  init(
    _ rooms: Rooms, _ options: Options, _ context: Context, count: Int, keyboard: Keyboard?,
    onFinished: @escaping @Sendable (ClipSource, FinishedClip) async -> ExitCode
  ) {
    self.rooms = rooms
    self.options = options
    self.context = context
    self.keyboard = keyboard
    self.onFinished = onFinished
    reporter = Self.reporter(options, context)
    let showsLine = context.console.canRewrite && !options.quiet && !options.json
    display = showsLine ? TransferDisplay(console: context.console, count: count) : nil
  }

  static func reporter(_ options: Options, _ context: Context) -> any Reporter {
    options.json
      ? JSONReporter(console: context.console)
      : PlainReporter(console: context.console, options: options)
  }

  /// Finds each track, then downloads it.
  func run(_ asked: [TrackFinder.Asked]) async -> ExitCode {
    let finder = TrackFinder(rooms: rooms, options: options, context: context)
    return await run(asked) { [self] asked in
      do throws(CatalogError) {
        let source = try await finder.source(for: asked)
        reporter.resolved(asked: asked.text, source)
        return await entry(for: source)
      } catch {
        if error == .canceled { return .failed(.trackFailed) }
        reporter.failed(asked: asked.text, reason: error.reason, message: error.message)
        return .failed(error.exitCode)
      }
    }
  }

  /// Downloads what is known already.
  func run(_ sources: [ClipSource]) async -> ExitCode {
    await run(sources) { [self] source in await entry(for: source) }
  }

  private func entry(for source: ClipSource) async -> Entry {
    let download =
      options.force
      ? await rooms.downloader.redownload(source) : rooms.downloader.download(source)
    downloads.withLock { $0.append(download) }
    report(download)
    return .download(download)
  }

  /// Tells of each state of a download as it comes, while others run beside it.
  private func report(_ download: Download) {
    let source = download.source
    let states = download.states
    Task {
      var isFirst = true
      for await state in states {
        // A clip that was there from the start is no news, and all begin by waiting.
        let isNews = state != .waiting && !(isFirst && state.name == .finished)
        isFirst = false
        guard isNews else { continue }
        reporter.changed(source, to: state)
        display?.changed(source, to: state)
      }
    }
  }

  private func run<Item: Sendable>(
    _ items: [Item], prepare: @escaping @Sendable (Item) async -> Entry
  ) async -> ExitCode {
    let (entries, feed) = AsyncStream<Entry>.makeStream()
    let finding = Task {
      for item in items where !Task.isCancelled { feed.yield(await prepare(item)) }
      feed.finish()
    }
    let work = Task { await self.follow(entries) }
    let ending = Mutex<ExitCode?>(nil)
    let leave: @Sendable (ExitCode) async -> Void = { [self] code in
      ending.withLock { $0 = code }
      finding.cancel()
      answer(false)
      // Only then is the work over: the process ends with it.
      await rooms.downloader.pauseAll()
      work.cancel()
    }
    let signals = Task {
      for await signal in Signals.stream() {
        switch signal {
        case .end(let code): await leave(code)
        case .windowChanged: display?.draw()
        case .suspend:
          display?.clear()
          keyboard?.suspend()
        case .resumed:
          keyboard?.enter()
          display?.draw()
        }
      }
    }
    let keys = Task {
      guard let keyboard, display != nil else { return }
      for await key in keyboard.keys() { await act(on: key, leave: leave) }
    }
    let result = await work.value
    signals.cancel()
    keys.cancel()
    display?.clear()
    return ending.withLock { $0 } ?? result
  }

  /// Waits for each download in turn and reports where it ended.
  private func follow(_ entries: AsyncStream<Entry>) async -> ExitCode {
    var code = ExitCode.done
    for await entry in entries {
      switch entry {
      case .failed(let failure): code = code.worse(failure)
      case .download(let download): code = code.worse(await follow(download))
      }
    }
    return code
  }

  private func follow(_ download: Download) async -> ExitCode {
    while true {
      for await _ in download.states {}
      if Task.isCancelled { return .trackFailed }
      switch download.state {
      case .finished(let clip):
        return await onFinished(download.source, clip)
      case .failed(let failure, _):
        if await wantsRetry() {
          download.retry()
          report(download)
          continue
        }
        return [.disk, .diskFull].contains(failure.reason) ? .diskFailure : .trackFailed
      case .waiting, .downloading, .paused:
        return .trackFailed  // Cancelled by the person.
      }
    }
  }

  /// Asks the person who sees the line whether a failed download is to be tried again.
  private func wantsRetry() async -> Bool {
    guard keyboard != nil, display != nil else { return false }
    return await withTaskGroup(of: Void.self) { group in
      group.addTask {
        try? await Task.sleep(for: .seconds(20))
        self.answer(false)
      }
      let answer = await withCheckedContinuation { continuation in
        decision.withLock { $0 = continuation }
        if Task.isCancelled { self.answer(false) }
      }
      group.cancelAll()
      return answer
    }
  }

  private func answer(_ isYes: Bool) {
    let waiting = decision.withLock { decision in
      defer { decision = nil }
      return decision
    }
    waiting?.resume(returning: isYes)
  }

  /// Space does the one action of the state that is shown; the keys speak of all transfers at once.
  private func act(on key: Key, leave: @Sendable (ExitCode) async -> Void) async {
    let all = downloads.withLock { $0 }
    switch key {
    case .character(" "):
      answer(true)
      let running = all.filter { $0.state.name == .downloading }
      for download in running { download.pause() }
      if running.isEmpty { for download in all { download.resume() } }
    case .character("c"):
      answer(false)
      for download in all where download.state.name != .finished { download.cancel() }
    case .character("q"):
      await leave(.interrupted)
    default: break
    }
  }
}
