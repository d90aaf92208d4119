import PreviewMedia

/// What the first bytes of a file say it is.
enum FileContent: Equatable {
  case audio(MediaKind)
  /// No audio; the words for it.
  case other(String)
  /// Nothing known: a decoder has to look for itself.
  case unknown

  init(of file: borrowing AudioFile) throws(PlaybackError) {
    let start = try file.read(512, at: 0)
    guard !start.isEmpty else {
      self = .other("an empty file")
      return
    }
    let tagLength = ID3v2Tag.length(at: start.span)
    // What follows a long tag lies beyond the bytes already read.
    let behindTag = tagLength > 0 ? try file.read(512, at: tagLength) : start
    if let kind = MediaKind(startOf: behindTag.span) {
      self = .audio(kind)
    } else if tagLength > 0 {
      self = .audio(.mpegAudio)
    } else if let words = Self.words(for: start) {
      self = .other(words)
    } else {
      self = .unknown
    }
  }

  /// Words for well-known bytes that are no audio; nil for bytes that are not known.
  private static func words(for start: [UInt8]) -> String? {
    let signatures: [(bytes: [UInt8], words: String)] = [
      ([0x89, 0x50, 0x4E, 0x47], "a PNG picture"),
      ([0xFF, 0xD8, 0xFF], "a JPEG picture"),
      (Array("GIF8".utf8), "a GIF picture"),
      (Array("%PDF".utf8), "a PDF document"),
      (Array("PK\u{3}\u{4}".utf8), "a ZIP archive"),
      ([0x1F, 0x8B], "a gzip archive"),
      ([0x7F, 0x45, 0x4C, 0x46], "a program"),
    ]
    for signature in signatures where start.starts(with: signature.bytes) {
      return signature.words
    }
    if start.allSatisfy({ $0 == 0 }) { return "a file of zeros" }
    return words(forText: start)
  }

  private static func words(forText start: [UInt8]) -> String? {
    let isText = start.allSatisfy { $0 >= 0x20 && $0 != 0x7F || (0x09...0x0D).contains($0) }
    guard isText else { return nil }
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = String(
      decoding: start.starts(with: mark) ? start.dropFirst(3) : start[...], as: UTF8.self
    )
    .lowercased()
    let firstWord = text.drop { $0.isWhitespace }
    return if firstWord.hasPrefix("<!doctype html") || firstWord.hasPrefix("<html") {
      "a web page"
    } else if firstWord.hasPrefix("<") {
      "XML text"
    } else if firstWord.hasPrefix("{") || firstWord.hasPrefix("[") {
      "JSON text"
    } else if firstWord.hasPrefix("#extm3u") {
      "a playlist"
    } else {
      "plain text"
    }
  }
}
