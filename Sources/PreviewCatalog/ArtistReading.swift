/// The names in a credit: "Queen & David Bowie" credits Queen, and David Bowie.
struct ArtistReading {
  /// Each name's words, without articles; the whole credit is the first.
  let names: [[String]]
  /// The words of all names.
  let words: Set<String>

  /// The first credited name, which decides whether two recordings are by the same artist.
  var primary: [String] { names.count > 1 ? names[1] : names.first ?? [] }

  /// - Parameter credit: the artists as a catalog or a person writes them.
  init(_ credit: some StringProtocol) {
    let parts = credit.split { ",;/".contains($0) }.map { Wording.words($0) }
    let singles = parts.flatMap { $0.split(whereSeparator: Self.joints.contains).map(Array.init) }
    let whole = Self.essential(parts.flatMap { $0 })
    names = ([whole] + singles.map(Self.essential)).filter { !$0.isEmpty }
    words = Set(whole)
  }

  /// Whether one of the names is exactly this one, blanks aside: "AC/DC" is "acdc".
  func credits(_ name: [String]) -> Bool {
    let joined = name.joined()
    return !joined.isEmpty && names.contains { $0.joined() == joined }
  }

  /// Words without those that are left out or put in at will.
  static func essential(_ words: [String]) -> [String] {
    let rest = words.filter { !fillers.contains($0) }
    return rest.isEmpty ? words : rest
  }

  /// Whether a word may be left out or put in at will.
  static func isFiller(_ word: String) -> Bool {
    fillers.contains(word)
  }

  private static let joints: Set = ["and", "feat", "ft", "featuring", "vs", "with", "x"]
  private static let fillers: Set = [
    "and", "the", "a", "an", "by", "feat", "ft", "featuring", "vs", "with", "x",
  ]
}
