let version = "0.1.0"

/// The texts of help, made from the tables of commands and options.
enum Help {
  static let programUsage = "Usage: preview COMMAND [OPTION...] [TRACK...]"

  /// What the program can do, for someone who called it without a command or with an unknown one.
  static var brief: String {
    """
    \(programUsage)
    Commands: \(Command.all.map(\.name).joined(separator: ", "))
    \(examples)
    """
  }

  private static let examples = """
    Examples:
      preview listen "artist - title"
      preview download itunes:1440833098
      preview retry
    """

  static func usage(_ command: Command) -> String {
    ["Usage: preview", command.name, "[OPTION...]", command.operands]
      .filter { !$0.isEmpty }.joined(separator: " ")
  }

  static var overview: String {
    let width = (Command.all.map(\.name.count).max() ?? 0) + 2
    let commands = Command.all.map { "  \(padded($0.name, width))\($0.abstract)\n" }.joined()
    return """
      preview fetches and plays the short song clips that music catalogs publish.

      \(programUsage)

      \(commands)
      \(examples)

      'preview COMMAND --help' tells more, 'preview --version' the version.

      \(tracks)
      \(terms)
      """
  }

  static func page(_ command: Command) -> String {
    let rows = command.options.map { option in
      let short = option.short.map { "-\($0), " } ?? "    "
      return (short + "--" + option.name + (option.value.map { " " + $0 } ?? ""), option.help)
    }
    let width = (rows.map(\.0.count).max() ?? 0) + 2
    let options = rows.map { "  \(padded($0.0, width))\($0.1)\n" }.joined()
    let takesTracks = command.operands.contains("TRACK")
    return """
      \(command.abstract)

      \(usage(command))

      Options:
      \(options)
      Example:
        \(command.example)
      \(command.name == "listen" ? "\n" + keys : "")\(takesTracks ? "\n" + tracks : "")\(command.showsTerms ? "\n" + terms : "")
      """
  }

  private static let tracks = """
    TRACK is words ("artist - title" is best), an id such as itunes:1440833098, a link to a track in
    Apple Music or iTunes, or the URL of an audio file; for listen and verify also the path of a file.
    Put words and links in quotes. Every id that 'preview list' prints works too.

    """

  private static let keys = """
    Keys while a clip plays: space pauses, left and right seek 5 s, 9 and 0 or down and up change the
    volume, m mutes, < begins again, > goes on to the next, q leaves.

    """

  private static let terms = """
    The catalogs' terms allow streaming their previews to promote the track, with a link to the store
    and credit, and speak against downloading and caching. What you do with a clip is up to you.

    """

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }
}

extension Command {
  fileprivate var showsTerms: Bool { ["download", "listen"].contains(name) }
}
