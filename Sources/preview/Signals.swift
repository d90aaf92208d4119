import Glibc
import PreviewThreads
import Synchronization

/// The signals that ask the process to end or to draw anew, taken by a thread that waits for them.
enum Signals {
  /// A wish from outside.
  enum Signal: Sendable, Equatable {
    case end(ExitCode)
    case windowChanged
    case suspend
    case resumed
  }

  private static let listeners = Mutex<[AsyncStream<Signal>.Continuation]>([])

  /// Blocks the signals in every thread to come and starts to wait for them: called before anything
  /// else.
  ///
  /// The second wish to end ends the process at once.
  static func takeOver() {
    signal(SIGPIPE, SIG_IGN)
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for number in [SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP, SIGCONT] {
      unsafe sigaddset(&set, number)
    }
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    startThread { [set] in
      var set = set
      var hasBegunToEnd = false
      while true {
        var number: Int32 = 0
        guard unsafe sigwait(&set, &number) == 0 else { continue }
        guard let meaning = meaning(of: number) else { continue }
        if case .end(let code) = meaning {
          let isHeard = listeners.withLock { !$0.isEmpty }
          if hasBegunToEnd || !isHeard { _exit(code.rawValue) }
          hasBegunToEnd = true
        }
        listeners.withLock { for listener in $0 { listener.yield(meaning) } }
        if meaning == .suspend, listeners.withLock({ $0.isEmpty }) { raise(SIGSTOP) }
      }
    }
  }

  /// The signals from now on.
  static func stream() -> AsyncStream<Signal> {
    let (stream, continuation) = AsyncStream<Signal>.makeStream()
    listeners.withLock { $0.append(continuation) }
    return stream
  }

  private static func meaning(of number: Int32) -> Signal? {
    switch number {
    case SIGINT: .end(.interrupted)
    case SIGTERM: .end(.terminated)
    case SIGHUP: .end(.hungUp)
    case SIGWINCH: .windowChanged
    case SIGTSTP: .suspend
    case SIGCONT: .resumed
    default: nil
    }
  }
}
