/// What a command line asks for.
enum Invocation: Sendable {
  case run(Command, Options)
  /// Text for standard output: help, or the version.
  case show(String)
}

/// A command line that cannot be carried out.
struct UsageError: Error, Equatable {
  /// Behind the program's and the command's name.
  var message: String
  var command: String?

  /// What is printed: what is wrong, the usage, and where to read more.
  var text: String {
    let name = ["preview", command].compactMap { $0 }.joined(separator: " ")
    let usage = Command.all.first { $0.name == command }.map(Help.usage) ?? Help.brief
    return "\(name): \(message)\n\(usage)\nTry '\(name) --help'.\n"
  }
}

/// Reads the words of a command line by the tables of commands and options.
///
/// Options and operands come in any order; `--name=value` and `--name value`, `-j4`, `-j 4`, bundled
/// flags; the last one wins; `--` ends options and `-` is an operand.
enum CommandLineReader {
  static func read(_ words: [String]) throws(UsageError) -> Invocation {
    guard let first = words.first else { throw UsageError(message: "no command was given") }
    let beforeOperands = words.prefix { $0 != "--" }
    if beforeOperands.contains("--version") { return .show("preview \(version)\n") }
    if first == "--help" || first == "-h" || first == "help" {
      return .show(
        Command.all.first { $0.name == words.dropFirst().first }.map(Help.page) ?? Help.overview)
    }
    guard let command = Command.all.first(where: { $0.name == first }) else {
      throw UsageError(message: unknown("command", first, among: Command.all.map(\.name)))
    }
    if beforeOperands.contains("--help") || beforeOperands.contains("-h") {
      return .show(Help.page(command))
    }
    return .run(command, try options(of: command, Array(words.dropFirst())))
  }

  private static func options(of command: Command, _ words: [String]) throws(UsageError) -> Options
  {
    var options = Options()
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        options.operands += rest
        break
      } else if word.hasPrefix("--") {
        try readLong(word.dropFirst(2), &rest, command, &options)
      } else if word.hasPrefix("-") && word != "-" {
        try readShort(word.dropFirst(), &rest, command, &options)
      } else {
        options.operands.append(word)
      }
    }
    if command.needsOperand && options.operands.isEmpty {
      throw UsageError(message: "\(command.operands) is missing", command: command.name)
    }
    if command.operands.isEmpty, let extra = options.operands.first {
      throw UsageError(message: "does not take '\(extra)'", command: command.name)
    }
    return options
  }

  private static func readLong(
    _ word: Substring, _ rest: inout ArraySlice<String>, _ command: Command,
    _ options: inout Options
  ) throws(UsageError) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let option = command.options.first(where: { $0.name == name }) else {
      let known = command.options.map { "--" + $0.name }
      throw UsageError(message: unknown("option", "--" + name, among: known), command: command.name)
    }
    if option.value == nil, parts.count == 2 {
      throw UsageError(message: "option '--\(name)' takes no value", command: command.name)
    }
    try set(option, parts.count == 2 ? String(parts[1]) : nil, &rest, command, &options)
  }

  private static func readShort(
    _ word: Substring, _ rest: inout ArraySlice<String>, _ command: Command,
    _ options: inout Options
  ) throws(UsageError) {
    var letters = word
    while let letter = letters.popFirst() {
      guard let option = command.options.first(where: { $0.short == letter }) else {
        throw UsageError(message: "unknown option '-\(letter)'", command: command.name)
      }
      let attached = option.value != nil && !letters.isEmpty ? String(letters) : nil
      if attached != nil { letters = "" }
      try set(option, attached, &rest, command, &options)
    }
  }

  private static func set(
    _ option: Option, _ attached: String?, _ rest: inout ArraySlice<String>, _ command: Command,
    _ options: inout Options
  ) throws(UsageError) {
    var text = ""
    if let value = option.value {
      guard let given = attached ?? rest.popFirst() else {
        throw UsageError(message: "option '--\(option.name)' wants \(value)", command: command.name)
      }
      text = given
    }
    guard option.set(&options, text) else {
      throw UsageError(
        message: "'\(text)' makes no sense for '--\(option.name)'. \(option.help)",
        command: command.name)
    }
  }

  private static func unknown(_ what: String, _ word: String, among known: [String]) -> String {
    let closest = known.map { ($0, editDistance($0, word)) }.min { $0.1 < $1.1 }
    guard let (name, distance) = closest, distance <= max(1, word.count / 3) else {
      return "unknown \(what) '\(word)'"
    }
    return "unknown \(what) '\(word)'; did you mean '\(name)'?"
  }

  /// How many letters must be added, dropped or changed to make one of the other (Levenshtein).
  static func editDistance(_ first: String, _ second: String) -> Int {
    let second = Array(second)
    var row = Array(0...second.count)
    for (index, letter) in first.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in second.indices {
        let change = diagonal + (letter == second[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(change, row[column] + 1, diagonal + 1)
      }
    }
    return row[second.count]
  }
}
