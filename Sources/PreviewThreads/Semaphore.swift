import Glibc

/// Counts signals; a thread waits for one.
///
/// Wraps sem_init(3), sem_post(3), sem_wait(3).
@safe package final class Semaphore: @unchecked Sendable {
  private let handle: UnsafeMutablePointer<sem_t>

  package init() {
    unsafe handle = .allocate(capacity: 1)
    unsafe sem_init(handle, 0, 0)
  }

  deinit {
    unsafe sem_destroy(handle)
    unsafe handle.deallocate()
  }

  package func signal() {
    unsafe sem_post(handle)
  }

  package func wait() {
    while unsafe sem_wait(handle) != 0 {}  // Only a signal handler (EINTR) ends it early.
  }
}
