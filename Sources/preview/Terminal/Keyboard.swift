import Glibc
import PreviewThreads
import Synchronization

/// A key of the terminal.
enum Key: Sendable, Equatable {
  case character(Character)
  case left, right, up, down
}

/// Reads single keys from the terminal, without echo, and restores it.
///
/// There is one only where standard input and standard error are a terminal; while the process is in the
/// background, the terminal is left to others. Wraps tcgetattr(3) and tcsetattr(3).
final class Keyboard: Sendable {
  /// As the terminal was before the keys were taken.
  private let original = Lock<termios?>(nil)

  /// nil where there is nobody to press keys.
  init?() {
    guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else { return nil }
    Signals.beforeExit { [self] in restore() }
    enter()
  }

  private var isInForeground: Bool { tcgetpgrp(STDIN_FILENO) == getpgrp() }

  /// Takes the keys; signals still come from Ctrl-C and Ctrl-Z.
  func enter() {
    var settings = termios()
    guard isInForeground, unsafe tcgetattr(STDIN_FILENO, &settings) == 0 else { return }
    original.withLock { [settings] original in
      if original == nil { original = settings }
    }
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
    unsafe tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
  }

  /// Gives the terminal back as it was.
  func restore() {
    guard isInForeground, var settings = original.withLock({ $0 }) else { return }
    unsafe tcsetattr(STDIN_FILENO, TCSANOW, &settings)
  }

  /// The keys from now on.
  func keys() -> AsyncStream<Key> {
    let (stream, continuation) = AsyncStream<Key>.makeStream()
    startThread { [self] in
      var bytes = [UInt8](repeating: 0, count: 64)
      while true {
        let count = unsafe read(STDIN_FILENO, &bytes, bytes.count)
        if count < 0 && errno == EINTR { continue }
        if count < 0 && errno == EIO {
          // In the background there are no keys; no signal tells that it has become the foreground.
          usleep(200_000)
          enter()
          continue
        }
        guard count > 0 else { break }
        for key in Self.keys(in: Array(bytes[..<count])) { continuation.yield(key) }
      }
      continuation.finish()
    }
    return stream
  }

  /// What was pressed, by the bytes a terminal sends for it (ECMA-48 cursor keys among them).
  static func keys(in bytes: [UInt8]) -> [Key] {
    var keys: [Key] = []
    var rest = String(decoding: bytes, as: UTF8.self)[...]
    while let first = rest.popFirst() {
      guard first == "\u{1B}" else {
        keys.append(.character(first))
        continue
      }
      guard let mark = rest.first, mark == "[" || mark == "O" else { continue }
      rest.removeFirst()
      let parameters = rest.prefix { !$0.isLetter && $0 != "~" }
      rest = rest.dropFirst(parameters.count)
      switch rest.popFirst() {
      case "A": keys.append(.up)
      case "B": keys.append(.down)
      case "C": keys.append(.right)
      case "D": keys.append(.left)
      default: break
      }
    }
    return keys
  }
}
