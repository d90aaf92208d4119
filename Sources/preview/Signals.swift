import PreviewThreads
import Glibc

/// The signals that ask the process to end, to stop or to draw anew.
enum Signals {
  /// A wish from outside.
  enum Signal: Sendable, Equatable {
    case end(ExitCode)
    case windowChanged
    case suspend
    case resumed
  }

  private static let listeners = Lock<[AsyncStream<Signal>.Continuation]>([])

  private static let numbers = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGTSTP, SIGCONT]
  private static let lastDeed = Lock<(@Sendable () -> Void)?>(nil)

  /// What is to be done before a signal ends the process at once.
  static func beforeExit(_ deed: @escaping @Sendable () -> Void) {
    lastDeed.withLock { $0 = deed }
  }

  /// Blocks the signals in this thread and all it starts: called before anything else.
  static func block() {
    signal(SIGPIPE, SIG_IGN)
    var set = set
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Waits for signals and tells of them, for ever.
  ///
  /// The second wish to end ends the process at once.
  static func deliver() -> Never {
    var set = set
    var hasBegunToEnd = false
    while true {
      var number: Int32 = 0
      guard unsafe sigwait(&set, &number) == 0, let meaning = meaning(of: number) else { continue }
      let isHeard = listeners.withLock { !$0.isEmpty }
      if case .end(let code) = meaning {
        if hasBegunToEnd || !isHeard {
          lastDeed.withLock { $0 }?()
          _exit(code.rawValue)
        }
        hasBegunToEnd = true
      }
      if meaning == .suspend && !isHeard { raise(SIGSTOP) }
      listeners.withLock { for listener in $0 { listener.yield(meaning) } }
    }
  }

  private static var set: sigset_t {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for number in numbers { unsafe sigaddset(&set, number) }
    return set
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
    case SIGQUIT: .end(.quit)
    case SIGWINCH: .windowChanged
    case SIGTSTP: .suspend
    case SIGCONT: .resumed
    default: nil
    }
  }
}
