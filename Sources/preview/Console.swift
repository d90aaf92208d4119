import PreviewThreads
import Glibc

/// Standard output for results, standard error for the rest.
///
/// A line that is rewritten in place can stand at the bottom of standard error; whatever else is
/// written goes above it.
final class Console: Sendable {
  /// Whether standard error is a terminal that can rewrite a line.
  let canRewrite: Bool
  /// Whether standard output is a terminal.
  let outputIsTerminal: Bool
  private let line = Lock("")
  private let lost = Lock<Int32?>(nil)

  init(environment: [String: String]) {
    canRewrite = isatty(STDERR_FILENO) == 1 && !["dumb", ""].contains(environment["TERM"] ?? "")
    outputIsTerminal = isatty(STDOUT_FILENO) == 1
  }

  /// Why results could not be written; nil where all were, or where their reader has left.
  var outputFailure: String? {
    guard let number = lost.withLock({ $0 }), number != EPIPE else { return nil }
    return systemMessage(number)
  }

  /// Writes a line of results.
  func out(_ text: String) {
    write(text + "\n", to: STDOUT_FILENO, isTerminal: outputIsTerminal)
  }

  /// Writes a line for the person.
  func say(_ text: String) {
    write(text + "\n", to: STDERR_FILENO, isTerminal: true)
  }

  /// Replaces the line at the bottom; an empty text takes it away.
  func rewrite(_ text: String) {
    // In the background the terminal is another's; one that controls nobody has no background.
    guard canRewrite, [getpgrp(), -1].contains(tcgetpgrp(STDERR_FILENO)) else { return }
    line.withLock { line in
      guard line != text else { return }
      line = text
      Self.put("\r" + text + "\u{1B}[K", to: STDERR_FILENO)
    }
  }

  /// Columns of the terminal; nil where there is none.
  var width: Int? {
    var size = winsize()
    guard unsafe ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return nil
    }
    return Int(size.ws_col)
  }

  private func write(_ text: String, to descriptor: Int32, isTerminal: Bool) {
    line.withLock { line in
      let isAboveLine = !line.isEmpty && isTerminal
      if isAboveLine { Self.put("\r\u{1B}[K", to: STDERR_FILENO) }
      let failure = Self.put(text, to: descriptor)
      if descriptor == STDOUT_FILENO, let failure { lost.withLock { $0 = failure } }
      if isAboveLine { Self.put(line, to: STDERR_FILENO) }
    }
  }

  /// Writes all of it, or returns the number of the error.
  @discardableResult
  private static func put(_ text: String, to descriptor: Int32) -> Int32? {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = unsafe bytes.withUnsafeBytes { bytes in
        unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return errno }
      bytes = bytes.dropFirst(count)
    }
    return nil
  }
}
