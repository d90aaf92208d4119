import PreviewThreads

/// Asks the person who sees the line whether what failed is to be tried again.
final class RetryQuestion: Sendable {
  private struct State {
    var isClosed = false
    var waiting: CheckedContinuation<Bool, Never>?
  }

  private let state = Lock(State())

  /// Waits for the answer, but not for ever: nobody may be looking.
  func ask() async -> Bool {
    let patience = Task {
      if (try? await Task.sleep(for: .seconds(20))) != nil { answer(false) }
    }
    defer { patience.cancel() }
    return await withCheckedContinuation { continuation in
      let isClosed = state.withLock { state in
        if !state.isClosed { state.waiting = continuation }
        return state.isClosed
      }
      if isClosed { continuation.resume(returning: false) }
    }
  }

  /// Answers, where the question was asked.
  func answer(_ isYes: Bool) {
    let asked = state.withLock { state in
      defer { state.waiting = nil }
      return state.waiting
    }
    asked?.resume(returning: isYes)
  }

  /// Answers no, now and from now on.
  func close() {
    state.withLock { $0.isClosed = true }
    answer(false)
  }
}
