import PreviewThreads

/// Lets so many downloads run at once; the others wait in the order they came.
final class JobSlots: Sendable {
  private struct State {
    var free: Int
    /// By their place in the order.
    var waiting: [Int: CheckedContinuation<Bool, Never>] = [:]
    var nextPlace = 0
    /// No one waits at a place before.
    var firstPlace = 0
  }

  private let state: Lock<State>

  init(count: Int) {
    state = Lock(State(free: max(1, count)))
  }

  /// How many wait.
  var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// Waits for a slot; false where the task was cancelled first.
  func acquire() async -> Bool {
    let place = state.withLock { state in
      defer { state.nextPlace += 1 }
      return state.nextPlace
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isTaken: Bool? = state.withLock { state in
          if Task.isCancelled { return false }
          guard state.free == 0 else {
            state.free -= 1
            return true
          }
          state.waiting[place] = continuation
          state.firstPlace = min(state.firstPlace, place)
          return nil
        }
        if let isTaken { continuation.resume(returning: isTaken) }
      }
    } onCancel: {
      let waiter = state.withLock { $0.waiting.removeValue(forKey: place) }
      waiter?.resume(returning: false)
    }
  }

  func release() {
    let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
      while state.firstPlace < state.nextPlace && !state.waiting.isEmpty {
        let place = state.firstPlace
        state.firstPlace += 1
        if let continuation = state.waiting.removeValue(forKey: place) { return continuation }
      }
      state.free += 1
      return nil
    }
    next?.resume(returning: true)
  }
}
