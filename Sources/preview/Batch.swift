import Glibc
import PreviewThreads
import PreviewCatalog
import PreviewDownloads

/// Follows a list of tracks on their way, several at a time, while a person or a signal may step in.
final class Batch: Sendable {
  private let reporter: any Reporter
  private let display: TransferDisplay?
  private let keyboard: Keyboard?
  private let downloads = Lock<[Download]>([])
  private let watching = Lock<[Task<Void, Never>]>([])
  private let question = RetryQuestion()
  /// What the process ends with, once the person or a signal wants it to end.
  private let ending = Lock<ExitCode?>(nil)
  private let summary = Lock(Summary())

  private let use: Use

  init(
    _ options: Options, _ context: Context, count: Int, keyboard: Keyboard?,
    use: Use
  ) {
    self.keyboard = keyboard
    self.use = use
    reporter = Self.reporter(options, context)
    display =
      options.showsLine(on: context.console)
      ? TransferDisplay(console: context.console, count: count) : nil
  }

  static func reporter(_ options: Options, _ context: Context) -> any Reporter {
    options.json
      ? JSONReporter(console: context.console)
      : PlainReporter(
        console: context.console, options: options, hasLine: options.showsLine(on: context.console))
  }

  /// Tells of each state of a download as it comes, while others run beside it.
  private func report(_ download: Download) {
    let isNew = downloads.withLock { downloads in
      guard !downloads.contains(where: { $0 === download }) else { return false }
      downloads.append(download)
      return true
    }
    if isNew { watch(download) }
  }

  private func watch(_ download: Download) {
    let source = download.source
    let states = download.states
    let task = Task {
      for await state in states where state != .waiting {
        reporter.changed(source, to: state)
        display?.changed(source, to: state)
      }
    }
    watching.withLock { $0.append(task) }
  }

  /// Prepares each item in turn, while what was prepared before is downloaded and used.
  func run<Item: Sendable>(
    _ items: [Item], prepare: @escaping @Sendable (Item) async -> Entry
  ) async -> ExitCode {
    let (entries, feed) = AsyncStream<Entry>.makeStream()
    let isAllFound = Lock(false)
    let finding = Task {
      for item in items where !Task.isCancelled {
        let entry = await prepare(item)
        if case .download(let download) = entry { report(download) }
        feed.yield(entry)
      }
      feed.finish()
      if !Task.isCancelled { isAllFound.withLock { $0 = true } }
    }
    let (ends, end) = AsyncStream<ExitCode>.makeStream()
    let work = Task { await self.follow(entries) }
    let leave: @Sendable (ExitCode) async -> Void = { [self] code in
      ending.withLock { $0 = code }
      finding.cancel()
      question.close()
      use.leave()
      await pauseAll()
      await finding.value
      await pauseAll()  // What was about to begin meanwhile.
      work.cancel()
      // A write that blocks is not waited for.
      try? await Task.sleep(for: .milliseconds(500))
      end.yield(code)
    }
    Task { end.yield(await work.value) }
    let signals = Task {
      for await signal in Signals.stream() {
        switch signal {
        case .end(let code): await leave(code)
        case .windowChanged: display?.draw()
        case .suspend:
          display?.clear()
          keyboard?.restore()
          raise(SIGSTOP)
        case .resumed:
          keyboard?.enter()
          display?.draw()
        }
      }
    }
    let keys = Task {
      guard let keyboard else { return }
      for await key in keyboard.keys() where !isLeaving && !use.takesKey(key) {
        if key == .character("q") {
          let all = downloads.withLock { $0 }
          let isDone = isAllFound.withLock { $0 } && all.allSatisfy { $0.state.name == .finished }
          await leave(isDone ? .done : .interrupted)
        } else {
          act(on: key)
        }
      }
    }
    let result = await ends.first { _ in true } ?? .trackFailed
    signals.cancel()
    keys.cancel()
    for download in downloads.withLock({ $0 }) { await download.settled() }
    // The last word of each stream is to be heard before the process ends.
    for task in watching.withLock({ $0 }) { await task.value }
    display?.clear()
    if isLeaving { tellWhatIsLeft() }
    if use.hasSummary { reporter.summary(summary.withLock { $0 }) }
    return ending.withLock { $0 }?.worse(result) ?? result
  }

  private var isLeaving: Bool { ending.withLock { $0 } != nil }

  /// Waits for each download in turn and uses it; those that failed may be tried again at the end.
  private func follow(_ entries: AsyncStream<Entry>) async -> ExitCode {
    var code = ExitCode.done
    var failed: [Download] = []
    for await entry in entries where !isLeaving {
      switch entry {
      case .failed(let failure):
        summary.withLock { $0.failed += 1 }
        code = code.worse(failure)
      case .file(let source, let clip): code = code.worse(await finish(source, clip))
      case .download(let download):
        if await !endsFailed(download, &code) { continue }
        failed.append(download)
      }
    }
    while keyboard != nil, display != nil, !isLeaving,
      failed.contains(where: { $0.state.name == .failed }), await question.ask()
    {
      for download in failed {
        download.retry()
        watch(download)
      }
      var stillFailed: [Download] = []
      for download in failed where await endsFailed(download, &code) {
        stillFailed.append(download)
      }
      failed = stillFailed
    }
    for download in failed {
      summary.withLock { $0.failed += 1 }
      if case .failed(let failure, _) = download.state {
        code = code.worse(failure.exitCode)
      } else {
        code = code.worse(.trackFailed)
      }
    }
    return code
  }

  /// Waits for the end of a download and uses the clip; true where there is none for a reason.
  private func endsFailed(_ download: Download, _ code: inout ExitCode) async -> Bool {
    for await _ in download.states {}
    guard !isLeaving else { return false }
    switch download.state {
    case .finished(let clip):
      summary.withLock { $0.add(clip) }
      code = code.worse(await finish(download.source, clip))
      return false
    case .failed: return true
    case .waiting, .downloading, .paused:
      await download.settled()  // Cancelled by the person; the bytes are to be gone.
      reporter.note("\(download.source.displayName): cancelled")
      code = code.worse(.trackFailed)
      return false
    }
  }

  private func finish(_ source: ClipSource, _ clip: FinishedClip) async -> ExitCode {
    display?.isHidden = true
    defer { display?.isHidden = false }
    return await use.finished(source, clip)
  }

  /// Where a line has shown the states so far, the last ones are to stay on the screen.
  private func tellWhatIsLeft() {
    guard display != nil else { return }
    for download in downloads.withLock({ $0 }) {
      guard case .paused(let progress) = download.state else { continue }
      let amount = ProgressLine.bytes(progress.received)
      reporter.note(
        "\(download.source.displayName): paused at \(amount); go on with: preview retry")
    }
  }

  private func pauseAll() async {
    let all = downloads.withLock { $0 }
    await withTaskGroup(of: Void.self) { group in
      for download in all { group.addTask { await download.close() } }
    }
  }

  /// Space does the one action of the state that is shown; the keys speak of all transfers at once.
  private func act(on key: Key) {
    let all = downloads.withLock { $0 }
    switch key {
    case .character(" "):
      let running = all.filter { $0.state.name == .downloading }
      for download in running { download.pause() }
      if running.isEmpty {
        question.answer(true)
        for download in all { download.resume() }
      }
    case .character("c"):
      for download in all where download.state.name != .finished { download.cancel() }
      question.answer(false)
    default: break
    }
  }
}

extension Options {
  /// Whether a line that is rewritten shows how the transfers are doing.
  func showsLine(on console: Console) -> Bool { console.canRewrite && !quiet && !json }
}
