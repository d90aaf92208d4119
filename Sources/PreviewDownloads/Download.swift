import PreviewThreads

/// One clip's download: what it is doing, and what a person can ask of it.
///
/// Asking for what makes no sense in the current state changes nothing. Two requests for the same
/// track share one `Download`.
public final class Download: Sendable {
  /// What is downloaded.
  public let source: ClipSource
  private let runner: any DownloadRunner
  private let shared: Lock<Shared>

  private struct Shared {
    var machine = DownloadMachine()
    var stream = StateStream(current: .waiting)
    /// What is done for the wishes so far, one after the other; a wish adds to the end of it.
    var work: Task<Void, Never>?
    /// Counts the wishes; what a run says counts only while no other wish has followed.
    var wish = 0
    /// Whether the clip that is here is to be replaced.
    var replaces = false

    mutating func publish() {
      let goesOn = [.downloading, .paused].contains(machine.state.name)
      stream.publish(machine.state, isTerminal: !goesOn)
    }
  }

  init(source: ClipSource, runner: any DownloadRunner) {
    self.source = source
    self.runner = runner
    shared = Lock(Shared())
  }

  deinit { shared.withLock { $0.stream.publish($0.machine.state, isTerminal: true) } }

  /// The state now.
  public var state: DownloadState { shared.withLock { $0.machine.state } }

  /// The states from now on: first the current one, then each change; it ends after `finished`,
  /// `failed`, or the `waiting` that `cancel()` and `remove()` lead to.
  public var states: AsyncStream<DownloadState> {
    shared.withLock { $0.stream.subscribe() }
  }

  /// Begins, or goes on where it stopped or failed.
  public func start() { ask(.download) }

  /// Goes on after a pause.
  public func resume() { ask(.resume) }

  /// Goes on after a failure, from the bytes that are here.
  public func retry() { ask(.retry) }

  /// Fetches a finished clip anew; the one on disk stays until the new one is complete.
  public func redownload() { ask(.redownload) }

  /// Stops and keeps the bytes, for this process or another.
  public func pause() { ask(.pause) }

  /// Pauses, waits until the bytes and the record are safe, and ends every stream of states: for a
  /// process that is about to end.
  public func close() async {
    pause()
    await settled()
    shared.withLock { $0.stream.publish($0.machine.state, isTerminal: true) }
  }

  /// Stops and drops the bytes.
  public func cancel() { ask(.cancel) }

  /// Deletes the finished clip.
  public func remove() { ask(.remove) }

  /// Waits until nothing is under way or asked for, and says where that left the download.
  @discardableResult
  public func settled() async -> DownloadState {
    while true {
      let (work, wish) = shared.withLock { ($0.work, $0.wish) }
      await work?.value
      let state = shared.withLock { $0.wish == wish ? $0.machine.state : nil }
      if let state { return state }
    }
  }

  /// Whether nothing more happens unless someone asks for it, and nothing is to be gone on with.
  var isOver: Bool { ![.downloading, .paused].contains(state.name) }

  /// Moves to the next state at once; what is to be done for it has its turn after what runs.
  private func ask(_ event: DownloadMachine.Event) {
    let action = shared.withLock { shared in
      let action = shared.machine.handle(event)
      guard action != .none else { return action }
      shared.wish += 1
      let (wish, previous) = (shared.wish, shared.work)
      switch action {
      case .none: break
      case .start, .startOver:
        if action == .startOver { shared.replaces = true }
        shared.work = Task { [self] in
          await previous?.value
          await runner.withSlot { await run(wish) }
          end(of: wish)
        }
      case .stop:
        previous?.cancel()
      case .discard, .delete:
        shared.replaces = false
        previous?.cancel()
        shared.work = Task { [self] in
          await previous?.value
          await action == .delete ? runner.delete(source) : runner.discard(source)
          end(of: wish)
        }
      }
      shared.publish()
      return action
    }
    if action == .start || action == .startOver { runner.began(self) }
  }

  private func run(_ wish: Int) async {
    let replaces: Bool? = shared.withLock { shared in
      let isWanted = shared.wish == wish && shared.machine.state.name == .downloading
      return isWanted ? shared.replaces : nil
    }
    guard let replaces else { return }
    do throws(Fetch.Ending) {
      let clip = try await runner.run(source, replaces: replaces) { self.apply($0, of: wish) }
      // Whatever was asked for meanwhile: a clip that is in place is finished.
      apply(.completed(clip), of: nil)
    } catch {
      switch error {
      case .stopped: apply(.pause, of: wish)
      case .failed(let failure): apply(.failed(failure), of: wish)
      }
    }
  }

  private func apply(_ event: DownloadMachine.Event, of wish: Int?) {
    shared.withLock { shared in
      guard wish == nil || wish == shared.wish else { return }
      _ = shared.machine.handle(event)
      if shared.machine.state.name == .finished { shared.replaces = false }
      shared.publish()
    }
  }

  private func end(of wish: Int) {
    let isLast = shared.withLock { $0.wish == wish }
    if isLast { runner.ended(self) }
  }
}

/// What carries a download's wishes out.
protocol DownloadRunner: Sendable {
  /// Tells that a download is under way again.
  func began(_ download: Download)
  /// Tells that nothing is under way for a download.
  func ended(_ download: Download)
  /// Runs `work` once there is room, unless the task is cancelled before.
  func withSlot(_ work: () async -> Void) async
  /// Fetches a clip, or what is missing of it.
  func run(
    _ source: ClipSource, replaces: Bool,
    report: @escaping @Sendable (DownloadMachine.Event) -> Void
  ) async throws(Fetch.Ending) -> FinishedClip
  /// Drops the bytes and the record of an unfinished clip.
  func discard(_ source: ClipSource) async
  /// Deletes a finished clip and its record.
  func delete(_ source: ClipSource) async
}
