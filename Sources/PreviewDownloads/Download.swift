import Synchronization

/// One clip's download: what it is doing, and what a person can ask of it.
///
/// Asking for what makes no sense in the current state changes nothing. Two requests for the same
/// track share one `Download`.
public final class Download: Sendable {
  /// What is downloaded.
  public let source: ClipSource
  private let runner: any DownloadRunner
  private let shared: Mutex<Shared>

  private struct Shared {
    var machine = DownloadMachine()
    var stream: StateStream
    /// Everything asked for happens one after the other, in this chain.
    var work: Task<Void, Never>?
    /// Of the run whose events count; those of a run that was stopped come too late.
    var run = 0
  }

  init(source: ClipSource, runner: any DownloadRunner) {
    self.source = source
    self.runner = runner
    shared = Mutex(Shared(stream: StateStream(current: .waiting)))
  }

  /// The state now.
  public var state: DownloadState { shared.withLock { $0.machine.state } }

  /// The states from now on: first the current one, then each change; it ends after `finished`,
  /// `failed`, or the `waiting` a `cancel()` leads to.
  public var states: AsyncStream<DownloadState> {
    shared.withLock { $0.stream.subscribe() }
  }

  /// Begins, or goes on where it stopped or failed.
  public func start() { startRun(.download) }

  /// Goes on after a pause.
  public func resume() { startRun(.resume) }

  /// Goes on after a failure, from the bytes that are here.
  public func retry() { startRun(.retry) }

  /// Fetches a finished clip anew; the one on disk stays until the new one is complete.
  public func redownload() { startRun(.redownload) }

  /// Stops and keeps the bytes, for this process or another.
  public func pause() { ask(.pause) }

  /// Stops and drops the bytes.
  public func cancel() { ask(.cancel) }

  /// Deletes the finished clip.
  public func remove() { ask(.remove) }

  /// Waits until nothing is under way or asked for, and says where that left the download.
  @discardableResult
  public func settled() async -> DownloadState {
    while true {
      let (work, run) = shared.withLock { ($0.work, $0.run) }
      await work?.value
      let state = shared.withLock { $0.run == run ? $0.machine.state : nil }
      if let state { return state }
    }
  }

  /// Puts a run into the chain; the state changes when it gets its turn.
  private func startRun(_ event: DownloadMachine.Event) {
    shared.withLock { shared in
      var trial = shared.machine
      let action = trial.handle(event)
      guard action == .start || action == .startOver else { return }
      shared.run += 1
      let run = shared.run
      let previous = shared.work
      shared.work = Task { [self] in
        await previous?.value
        await runner.withSlot {
          guard isCurrent(run), apply(event, of: run) == action else { return }
          await perform(run, startsOver: action == .startOver)
        }
      }
    }
  }

  private func perform(_ run: Int, startsOver: Bool) async {
    do throws(Fetch.Ending) {
      let clip = try await runner.run(self, startsOver: startsOver) { self.apply($0, of: run) }
      // Not `of: run`: a clip that is in place is finished, whatever was asked for meanwhile.
      _ = apply(.completed(clip), of: nil)
    } catch {
      if case .failed(let failure) = error { apply(.failed(failure), of: run) }
    }
  }

  /// Stops what runs; `cancel` and `remove` also drop what is on disk, once it has stopped.
  private func ask(_ event: DownloadMachine.Event) {
    shared.withLock { shared in
      let action = shared.machine.handle(event)
      shared.run += 1
      shared.work?.cancel()
      let previous = shared.work
      let source = source
      switch action {
      case .discard:
        shared.work = Task { [runner] in
          await previous?.value
          await runner.discard(source)
        }
      case .delete:
        shared.work = Task { [runner] in
          await previous?.value
          await runner.delete(source)
        }
      case .none, .start, .startOver, .stop: break
      }
      let isTerminal = action == .discard || action == .delete
      shared.stream.publish(shared.machine.state, isTerminal: isTerminal)
    }
  }

  private func isCurrent(_ run: Int) -> Bool { shared.withLock { $0.run == run } }

  @discardableResult
  private func apply(_ event: DownloadMachine.Event, of run: Int?) -> DownloadMachine.Action {
    shared.withLock { shared in
      guard run == nil || run == shared.run else { return .none }
      let action = shared.machine.handle(event)
      let isTerminal = [.finished, .failed].contains(shared.machine.state.name)
      shared.stream.publish(shared.machine.state, isTerminal: isTerminal)
      return action
    }
  }
}

/// What carries a download's wishes out.
protocol DownloadRunner: Sendable {
  /// Runs `work` once there is room, unless the task is cancelled before.
  func withSlot(_ work: () async -> Void) async
  func run(
    _ download: Download, startsOver: Bool,
    report: @escaping @Sendable (DownloadMachine.Event) -> Void
  ) async throws(Fetch.Ending) -> FinishedClip
  /// Drops the bytes and the record of an unfinished clip.
  func discard(_ source: ClipSource) async
  /// Deletes a finished clip and its record.
  func delete(_ source: ClipSource) async
}
