/// Text as a terminal shows it: catalogs' words are not trusted with its control characters.
enum DisplayText {
  /// The text without control and direction characters, on one line.
  static func clean(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: result.append(" ")
      case .format where scalar != "\u{200D}" && scalar != "\u{200C}": break
      default: result.append(scalar)
      }
    }
    return String(result)
  }

  /// Columns the text takes.
  static func width(_ text: String) -> Int {
    text.reduce(0) { $0 + width($1) }
  }

  /// The start of the text that fits `columns`, with an ellipsis where it was cut.
  static func cut(_ text: String, to columns: Int) -> String {
    guard width(text) > columns else { return text }
    var result = ""
    var used = 1
    for character in text {
      used += width(character)
      guard used <= columns else { break }
      result.append(character)
    }
    return columns > 0 ? result + "…" : ""
  }

  /// The text, cut or filled with blanks to exactly `columns`.
  static func fitted(_ text: String, to columns: Int) -> String {
    let cut = cut(text, to: columns)
    return cut + String(repeating: " ", count: max(0, columns - width(cut)))
  }

  /// That of its first scalar that takes any: what follows in a character is drawn into the same place.
  private static func width(_ character: Character) -> Int {
    guard let base = character.unicodeScalars.first else { return 0 }
    if base.isASCII { return 1 }
    switch base.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    let isWide =
      base.properties.isEmojiPresentation || wideRanges.contains { $0.contains(base.value) }
    return isWide ? 2 : 1
  }

  /// What takes two columns (Unicode Standard Annex 11, East_Asian_Width W and F), in rough blocks.
  private static let wideRanges: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97C,
    0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
    0x20000...0x3FFFD,
  ]
}
