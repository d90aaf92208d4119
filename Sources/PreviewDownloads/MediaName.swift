@_spi(_Unicode) import Swift
import PreviewMedia

/// The names a finished clip may get.
enum MediaName {
  /// File systems take names of at most so many bytes.
  static let maximumLength = 255

  /// The names to try, best first; the last one has no end to its numbers.
  ///
  /// - A track of a catalog: `Artist - Title [itunes-123].m4a`.
  /// - A clip known by its URL alone: the name the URL ends with, then with its id.
  static func candidates(for source: ClipSource, kind: MediaKind) -> [String] {
    stems(for: source).map { $0 + "." + fileExtension(for: source, kind) }
  }

  /// The name with a number, for where it is taken by something else.
  static func numbered(_ name: String, _ number: Int) -> String {
    let dot = name.lastIndex(of: ".") ?? name.endIndex
    return cut(String(name[..<dot]), to: 240 - name[dot...].utf8.count) + " (\(number))"
      + name[dot...]
  }

  /// The names without their extension.
  static func stems(for source: ClipSource) -> [String] {
    let tag = " [\(source.fileID)]"
    guard source.artist.isEmpty else {
      let name = sanitized("\(source.artist) - \(source.title)")
      return [cut(name, to: maximumLength - tag.utf8.count - 5) + tag]
    }
    let name = cut(
      sanitized(withoutAudioExtension(source.title)), to: maximumLength - tag.utf8.count - 5)
    return [name, name + tag]
  }

  /// The id in a name made by `candidates`, as it stands there; nil where there is none.
  static func fileID(in name: String) -> String? {
    guard let dot = name.lastIndex(of: "."), name[..<dot].hasSuffix("]"),
      let open = name[..<dot].lastIndex(of: "[")
    else { return nil }
    let id = name[name.index(after: open)..<dot].dropLast()
    let isOurs = ["itunes-", "deezer-", "local-", "url-"].contains { id.hasPrefix($0) }
    return isOurs ? String(id) : nil
  }

  /// A text fit for a file's name: NFC, one line, no separators, no control or bidi characters, no
  /// leading dot or dash, no blank at either end.
  static func sanitized(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text._nfc {
      switch scalar.properties.generalCategory {
      case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator, .privateUse,
        .unassigned:
        // Joiners hold emoji and some scripts together; the other format characters turn text round.
        if scalar == "\u{200D}" || scalar == "\u{200C}" { result.append(scalar) }
      case .spaceSeparator:
        if result.last != " " { result.append(" ") }
      default:
        result.append(scalar == "/" ? "-" : scalar)
      }
    }
    var name = String(result)[...]
    name = name.drop { $0 == "." || $0 == "-" || $0 == " " }
    while let last = name.last, last == " " || last == "." { name.removeLast() }
    return name.isEmpty ? "untitled" : String(name)
  }

  /// The longest start of `text` that has at most `limit` bytes, cut at a character.
  static func cut(_ text: String, to limit: Int) -> String {
    var result = text[...]
    while result.utf8.count > limit { result.removeLast() }
    while result.last == " " { result.removeLast() }
    return String(result)
  }

  private static let extensions: [MediaKind: [String]] = [
    .mp4: ["m4a", "mp4", "m4b", "m4p", "m4v", "3gp", "3g2", "mov"],
    .mpegAudio: ["mp3", "mp2", "mp1"],
    .ogg: ["ogg", "oga", "opus"], .aiff: ["aiff", "aif", "aifc"],
    .matroska: ["mka", "mkv", "webm"],
  ]

  /// The kind's own, or that of the URL where it fits the kind.
  private static func fileExtension(for source: ClipSource, _ kind: MediaKind) -> String {
    guard source.artist.isEmpty, let own = audioExtension(of: source.title),
      extensions[kind]?.contains(own) == true
    else { return kind.fileExtension }
    return own
  }

  private static func withoutAudioExtension(_ name: String) -> String {
    audioExtension(of: name).map { String(name.dropLast($0.count + 1)) } ?? name
  }

  private static func audioExtension(of name: String) -> String? {
    guard let dot = name.lastIndex(of: ".") else { return nil }
    let suffix = name[name.index(after: dot)...].lowercased()
    let known = extensions.values.joined() + MediaKind.allCases.map(\.fileExtension)
    return known.contains(suffix) ? suffix : nil
  }
}
