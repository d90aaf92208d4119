import PreviewThreads
import PreviewDownloads

/// Keeps the progress line at the bottom of a terminal up to date.
final class TransferDisplay: Sendable {
  fileprivate struct Shown {
    var source: ClipSource
    var state: DownloadState
    /// When and where the rate was measured last.
    var measured: (time: ContinuousClock.Instant, received: Int)?
    var rate: Double?
  }

  private struct State {
    /// In the order in which they were asked for.
    var transfers: [Shown] = []
    var count = 0
    var isHidden = false
  }

  private let console: Console
  private let state = Lock(State())

  /// - Parameters:
  ///   - console: where the line stands.
  ///   - count: how many tracks were asked for.
  init(console: Console, count: Int) {
    self.console = console
    state.withLock { $0.count = count }
  }

  func changed(_ source: ClipSource, to new: DownloadState) {
    state.withLock { state in
      let index = state.transfers.firstIndex { $0.source.id == source.id }
      var shown = index.map { state.transfers[$0] } ?? Shown(source: source, state: new)
      shown.update(to: new)
      if let index { state.transfers[index] = shown } else { state.transfers.append(shown) }
    }
    draw()
  }

  /// While hidden, the place at the bottom is another's.
  var isHidden: Bool {
    get { state.withLock { $0.isHidden } }
    set {
      if newValue { clear() }
      state.withLock { $0.isHidden = newValue }
      draw()
    }
  }

  /// Draws the line anew, also where only the window has changed.
  func draw() {
    let status = state.withLock { state -> ProgressLine.Status? in
      let done = state.transfers.count { $0.state.name == .finished }
      guard !state.isHidden,
        let shown = state.transfers.first(where: { $0.state.name == .downloading })
          ?? state.transfers.first(where: { $0.state.name != .finished })
      else { return nil }
      return ProgressLine.Status(
        name: shown.source.displayName, state: shown.state, rate: shown.rate, done: done,
        count: state.count)
    }
    guard let status else { return isHidden ? () : clear() }
    console.rewrite(ProgressLine.text(status, width: console.width ?? 80))
  }

  func clear() { console.rewrite("") }
}

extension TransferDisplay.Shown {
  /// Takes a new state; the rate is a moving average over half seconds.
  fileprivate mutating func update(to new: DownloadState) {
    state = new
    guard case .downloading(let progress) = new else {
      measured = nil
      rate = nil
      return
    }
    let now = ContinuousClock.now
    guard let last = measured, progress.received >= last.received else {
      measured = (now, progress.received)
      return
    }
    let elapsed = (now - last.time) / .seconds(1)
    guard elapsed >= 0.5 else { return }
    let current = Double(progress.received - last.received) / elapsed
    rate = rate.map { 0.7 * $0 + 0.3 * current } ?? current
    measured = (now, progress.received)
  }
}
