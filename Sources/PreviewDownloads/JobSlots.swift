import Synchronization

/// Lets so many downloads run at once; the others wait in the order they came.
final class JobSlots: Sendable {
  private struct State {
    var free: Int
    var waiting: [(id: Int, continuation: CheckedContinuation<Bool, Never>)] = []
    var nextID = 0
  }

  private let state: Mutex<State>

  init(count: Int) {
    state = Mutex(State(free: max(1, count)))
  }

  /// Waits for a slot; false where the task was cancelled first.
  func acquire() async -> Bool {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isTaken: Bool? = state.withLock { state in
          if Task.isCancelled { return false }
          guard state.free == 0 else {
            state.free -= 1
            return true
          }
          state.waiting.append((id, continuation))
          return nil
        }
        if let isTaken { continuation.resume(returning: isTaken) }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        state.waiting.firstIndex { $0.id == id }.map { state.waiting.remove(at: $0) }
      }
      waiter?.continuation.resume(returning: false)
    }
  }

  func release() {
    let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
      guard !state.waiting.isEmpty else {
        state.free += 1
        return nil
      }
      return state.waiting.removeFirst().continuation
    }
    next?.resume(returning: true)
  }
}
