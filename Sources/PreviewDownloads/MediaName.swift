@_spi(_Unicode) import Swift
import PreviewMedia

/// The names a finished clip may get.
enum MediaName {
  /// File systems take names of at most so many bytes.
  private static let maximumLength = 255
  /// Bytes of the longest extension, its dot included.
  private static let longestExtension = 5

  /// The names to try, best first: a hundred, the later ones numbered.
  ///
  /// - A track of a catalog: `Artist - Title [itunes-123].m4a`.
  /// - A clip known by its URL alone: the name the URL ends with, then with its id.
  static func candidates(for source: ClipSource, kind: MediaKind) -> some Collection<String> {
    let ending = "." + fileExtension(for: source, kind)
    return stems(for: source).map { $0 + ending }
  }

  /// The names without their extension.
  static func stems(for source: ClipSource) -> LazyMapSequence<Range<Int>, String> {
    let isTrack = !source.isPlainURL
    let names = [source.artist, isTrack ? source.title : withoutAudioExtension(source.title)]
    let words = sanitized(names.filter { !$0.isEmpty }.joined(separator: " - "))
    let tag = " [\(source.fileID)]"
    return (isTrack ? 1..<100 : 0..<100).lazy.map { number in
      let end = number == 0 ? "" : number == 1 ? tag : " (\(number))\(tag)"
      let start = cut(words, to: maximumLength - longestExtension - end.utf8.count)
      return (start.isEmpty ? "untitled" : start) + end
    }
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
    // By scalars: a mark or a joiner may make one character with the dot that hides the file.
    var name = result.drop { ".- \u{200C}\u{200D}".unicodeScalars.contains($0) }
    while let last = name.last, last == " " || last == "." { name.removeLast() }
    return name.isEmpty ? "untitled" : String(name)
  }

  /// The longest start of `text` that has at most `limit` bytes, cut at a character.
  static func cut(_ text: String, to limit: Int) -> String {
    var result = text[...]
    while result.utf8.count > limit && !result.isEmpty { result.removeLast() }
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
  static func fileExtension(for source: ClipSource, _ kind: MediaKind) -> String {
    guard source.isPlainURL, let own = audioExtension(of: source.title),
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
