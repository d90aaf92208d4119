/// Text as it is compared: words in small letters without accents and punctuation.
enum Wording {
  /// The words of a text.
  ///
  /// `&` and `+` are read as "and", apostrophes vanish, points between single letters too, and wide
  /// letters are read as plain ones. A text of nothing but signs is one word by itself, so that a
  /// song named "÷" can be found.
  static func words(_ text: some StringProtocol) -> [String] {
    var words: [String] = []
    var word = ""
    var isAcronym = false
    func end() {
      if !word.isEmpty { words.append(word) }
      word = ""
      isAcronym = false
    }
    for scalar in plain(text).unicodeScalars {
      switch scalar {
      case "'", "’", "‘", "ʼ", "`", "´": break
      case "." where word.unicodeScalars.count == 1 || isAcronym: isAcronym = true
      case "&", "+":
        end()
        words.append("and")
      case _ where isPartOfWord(scalar): word += folded(scalar)
      default: end()
      }
    }
    end()
    guard words.allSatisfy({ $0 == "and" }) else { return words }
    let signs = text.split(whereSeparator: \.isWhitespace).joined().lowercased()
    return words.isEmpty && !signs.isEmpty ? [signs] : words
  }

  /// The pieces between dashes with blanks on both sides, as in `artist - title`.
  static func splitAtDashes(_ text: some StringProtocol) -> [String] {
    let dashes: Set<Character> = ["-", "‐", "‑", "‒", "–", "—", "―", "−"]
    var pieces: [[Substring]] = [[]]
    for word in text.split(whereSeparator: \.isWhitespace).map({ Substring($0) }) {
      if word.count == 1, word.allSatisfy(dashes.contains) {
        pieces.append([])
      } else {
        pieces[pieces.count - 1].append(word)
      }
    }
    return pieces.filter { !$0.isEmpty }.map { $0.joined(separator: " ") }
  }

  /// The text with full-width signs and letters (U+FF01 to U+FF5E) as their plain forms.
  static func plain(_ text: some StringProtocol) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      let isWide = (0xFF01...0xFF5E).contains(scalar.value)
      result.unicodeScalars.append(
        isWide ? Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar : scalar)
    }
    return result
  }

  private static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII {
      return scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
    }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber, .nonspacingMark, .spacingMark:
      return true
    default:
      return false
    }
  }

  /// A letter in small and without its accent.
  ///
  /// The accent is known from the letter's name, "LATIN SMALL LETTER E WITH ACUTE", which spares a
  /// table and covers strokes and hooks, which no decomposition does.
  private static func folded(_ scalar: Unicode.Scalar) -> String {
    if scalar.isASCII { return scalar.properties.lowercaseMapping }
    if (0x300...0x36F).contains(scalar.value) { return "" }
    // By way of capitals, for letters such as ß that become two.
    let small = scalar.properties.uppercaseMapping.lowercased()
    guard let only = small.unicodeScalars.first, small.unicodeScalars.count == 1,
      let name = only.properties.name, name.hasPrefix("LATIN SMALL LETTER "),
      let base = name.dropFirst("LATIN SMALL LETTER ".count).split(separator: " ").first,
      base.utf8.count == 1
    else { return small }
    return base.lowercased()
  }
}
