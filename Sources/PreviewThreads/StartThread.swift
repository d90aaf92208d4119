import Glibc

/// Starts a detached thread that blocks every signal, so that signals reach the main thread only.
///
/// Wraps pthread_create(3). A system without room for one more thread cannot go on: that traps.
///
/// - Parameter body: what it runs; the thread ends when it returns.
package func startThread(_ body: @escaping @Sendable () -> Void) {
  var every = sigset_t()
  var previous = sigset_t()
  unsafe sigfillset(&every)
  unsafe pthread_sigmask(SIG_BLOCK, &every, &previous)
  defer { unsafe pthread_sigmask(SIG_SETMASK, &previous, nil) }

  let start = unsafe Unmanaged.passRetained(ThreadStart(body: body))
  var thread = pthread_t()
  let status = unsafe pthread_create(
    &thread, nil,
    { context in
      if let context = unsafe context {
        unsafe Unmanaged<ThreadStart>.fromOpaque(context).takeRetainedValue().body()
      }
      return nil
    }, start.toOpaque())
  precondition(status == 0, "pthread_create: error \(status)")
  pthread_detach(thread)
}

private final class ThreadStart: Sendable {
  let body: @Sendable () -> Void

  init(body: @escaping @Sendable () -> Void) {
    self.body = body
  }
}
