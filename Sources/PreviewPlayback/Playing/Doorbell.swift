import Glibc

/// Lets a thread sleep until another one rings, or until a moment has come.
///
/// A ring while nobody sleeps is kept for the next sleeper; several count as one. Ringing never waits
/// for long, so C callbacks may do it. Wraps pthread_cond_timedwait(3) on the monotonic clock.
@safe final class Doorbell: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private var hasRung = false

  init() {
    unsafe mutex = .allocate(capacity: 1)
    unsafe condition = .allocate(capacity: 1)
    unsafe pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    unsafe pthread_condattr_init(&attributes)
    unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    unsafe pthread_cond_init(condition, &attributes)
    unsafe pthread_condattr_destroy(&attributes)
  }

  deinit {
    unsafe pthread_cond_destroy(condition)
    unsafe pthread_mutex_destroy(mutex)
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
  }

  func ring() {
    unsafe pthread_mutex_lock(mutex)
    hasRung = true
    unsafe pthread_cond_signal(condition)
    unsafe pthread_mutex_unlock(mutex)
  }

  /// Sleeps until the bell rings, at most until `moment`.
  func sleep(until moment: Moment) {
    var deadline = timespec()
    deadline.tv_sec = moment.nanoseconds / 1_000_000_000
    deadline.tv_nsec = moment.nanoseconds % 1_000_000_000
    unsafe pthread_mutex_lock(mutex)
    while !hasRung {
      guard unsafe pthread_cond_timedwait(condition, mutex, &deadline) == 0 else { break }
    }
    hasRung = false
    unsafe pthread_mutex_unlock(mutex)
  }
}

/// A moment on the monotonic clock.
struct Moment: Comparable, Sendable {
  /// Since the clock's start.
  let nanoseconds: Int

  /// Wraps clock_gettime(2).
  static var now: Moment {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Moment(nanoseconds: time.tv_sec * 1_000_000_000 + time.tv_nsec)
  }

  static func < (left: Moment, right: Moment) -> Bool { left.nanoseconds < right.nanoseconds }

  static func + (moment: Moment, duration: Duration) -> Moment {
    Moment(nanoseconds: moment.nanoseconds + Int(min(duration.seconds, 1e9) * 1e9))
  }

  /// Seconds from another moment to this one.
  func seconds(since other: Moment) -> Double {
    Double(nanoseconds - other.nanoseconds) / 1e9
  }
}

extension Duration {
  /// The duration in seconds.
  var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
