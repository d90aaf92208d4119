/// A title taken apart: what it is called, who is a guest, what is said of the version.
struct TitleReading {
  /// The words outside all brackets.
  private(set) var base: [String] = []
  /// Words in brackets, or behind a dash, that belong to the name.
  private(set) var aside: [String] = []
  /// Words beside those that name the version, as in "Live at Wembley" or "Skrillex Remix".
  private(set) var details: [String] = []
  /// Guests.
  private(set) var guests: [String] = []
  /// What sets the version apart.
  private(set) var versions: Set<Version> = []

  /// - Parameter title: a title with brackets, or with dashes where Spotify writes them.
  init(_ title: some StringProtocol) {
    let (outside, brackets) = Self.brackets(Wording.plain(title))
    var pieces = Wording.splitAtDashes(outside).map(Wording.words)
    if !pieces.isEmpty { base = withoutGuests(pieces.removeFirst()) }
    for words in pieces { read(withoutGuests(words)) }
    for bracket in brackets {
      let words = Wording.words(bracket)
      if let first = words.first, Self.introductions.contains(first) {
        guests += words.dropFirst()
      } else {
        read(withoutGuests(words))
      }
    }
    if base.isEmpty { (base, aside) = (aside, []) }
    if base.isEmpty { base = Wording.words(title) }
  }

  private mutating func read(_ words: [String]) {
    let reading = VersionReading(words)
    if words.first == "from" && words.count > 1 {
      details += words
    } else if !reading.versions.isEmpty {
      versions.formUnion(reading.versions)
      details += reading.rest
    } else if !reading.isNeutral {
      aside += reading.rest
    }
  }

  /// Cuts the tail that begins with "feat." off.
  private mutating func withoutGuests(_ words: [String]) -> [String] {
    guard let tail = words.dropFirst().firstIndex(where: Self.featuring.contains) else {
      return words
    }
    guests += words[(tail + 1)...]
    return Array(words[..<tail])
  }

  private static let featuring: Set = ["feat", "ft", "featuring"]
  private static let introductions = featuring.union(["with", "prod", "produced"])

  /// What stands outside brackets, and what in each of the outermost.
  private static func brackets(_ text: String) -> (outside: String, inside: [String]) {
    var outside = "", inside: [String] = [], depth = 0
    for character in text {
      switch character {
      case "(", "[", "{", "【", "「":
        depth += 1
        if depth == 1 { inside.append("") } else { inside[inside.count - 1] += " " }
      case ")", "]", "}", "】", "」":
        depth = max(depth - 1, 0)
        outside += depth == 0 ? " " : ""
      case _ where depth > 0: inside[inside.count - 1].append(character)
      default: outside.append(character)
      }
    }
    return (outside, inside)
  }
}
