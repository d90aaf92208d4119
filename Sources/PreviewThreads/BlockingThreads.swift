import Glibc

/// A few threads of their own for calls that block: the threads of Swift's pool are as many as the
/// cores, and two blocked ones stop every task.
///
/// Work starts in the order it was handed in; with one thread it also runs in that order, which makes
/// a single-threaded instance the owner of a C handle that must not be shared. The threads end once
/// the last reference is gone and the work is done.
package final class BlockingThreads: Sendable {
  private let queue = WorkQueue()

  /// - Parameter count: how many threads run at once.
  package init(count: Int = 1) {
    for _ in 0..<count {
      let queue = queue
      startThread { queue.work() }
    }
  }

  deinit { queue.close() }

  /// Runs `work` on one of the threads and waits for it without blocking the caller's.
  ///
  /// Cancelling the task does not interrupt `work`.
  package func run<Value: Sendable, Failure: Error>(
    _ work: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
      queue.add {
        continuation.resume(returning: Result { () throws(Failure) in try work() })
      }
    }
    return try result.get()
  }

  /// Runs `work` on one of the threads, some time later.
  package func enqueue(_ work: @escaping @Sendable () -> Void) {
    queue.add(work)
  }
}

/// What waits for a thread.
private final class WorkQueue: Sendable {
  private let waiting = Lock<[@Sendable () -> Void]>([])
  private let available = Semaphore()

  func add(_ work: @escaping @Sendable () -> Void) {
    waiting.withLock { $0.append(work) }
    available.signal()
  }

  /// A signal without work behind it is the last one.
  func close() { available.signal() }

  /// Runs what is added until the queue is closed and empty.
  func work() {
    while true {
      available.wait()
      let next: (@Sendable () -> Void)? = waiting.withLock { waiting in
        waiting.isEmpty ? nil : waiting.removeFirst()
      }
      guard let next else {
        available.signal()  // The other threads are to see that the queue is closed.
        return
      }
      next()
    }
  }
}
