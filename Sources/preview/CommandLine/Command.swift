/// One of the things `preview` can do.
struct Command: Sendable {
  let name: String
  /// What it takes besides options, as in help; empty for nothing.
  let operands: String
  /// Whether it makes no sense without an operand.
  let needsOperand: Bool
  /// One sentence.
  let abstract: String
  let example: String
  let options: [Option]
  let run: @Sendable (Options, Context) async -> ExitCode

  init(
    _ name: String, operands: String, needsOperand: Bool = true, abstract: String, example: String,
    options: [Option], run: @escaping @Sendable (Options, Context) async -> ExitCode
  ) {
    self.name = name
    self.operands = operands
    self.needsOperand = needsOperand
    self.abstract = abstract
    self.example = example
    self.options = options + Option.common
    self.run = run
  }

  /// All of them, in the order of help.
  static let all: [Command] = [
    .download, .listen, .retry, .list, .search, .cancel, .remove, .verify,
  ]
}

/// What a process ends with (sysexits.h, and 128 and the signal's number).
enum ExitCode: Int32, Sendable {
  case done = 0
  /// Some track failed, the rest is done.
  case trackFailed = 1
  case wrongUsage = 64
  case unreadableInput = 66
  /// A catalog or the sound server is out of reach.
  case unavailable = 69
  case diskFailure = 74
  case hungUp = 129
  case interrupted = 130
  case quit = 131
  case terminated = 143

  /// The one that tells more: what a person must mend first.
  func worse(_ other: ExitCode) -> ExitCode {
    let order: [ExitCode] = [
      .done, .trackFailed, .unavailable, .unreadableInput, .wrongUsage, .diskFailure, .hungUp,
      .quit, .terminated, .interrupted,
    ]
    let ranks = (order.firstIndex(of: self) ?? 0, order.firstIndex(of: other) ?? 0)
    return ranks.0 >= ranks.1 ? self : other
  }
}
