/// Tells whether a file's bytes are audio with sound in it, from its container alone.
///
/// Nothing is decoded. This is the last check before a download counts as finished: neither a web page
/// under an audio name nor a file the server itself holds cut short gets past it.
package enum MediaCheck {
  /// What the bytes turned out to be.
  package enum Verdict: Equatable, Sendable {
    /// A file of that kind that holds sound.
    ///
    /// `isWhole` says that the container itself shows where the file ends and that it ends there, which
    /// is the only proof of completeness where a server gave no length.
    case sound(MediaKind, isWhole: Bool)
    /// Something else; `found` names it, such as "a web page".
    case notAudio(found: String)
    /// A container whose parts lie outside the file; `missing` says which.
    case truncated(missing: String)
    /// Audio under digital rights management.
    case encrypted
  }

  /// Examines a whole file.
  package static func examine(_ bytes: Span<UInt8>) -> Verdict {
    guard let kind = MediaKind(startOf: bytes) else {
      return .notAudio(found: describe(bytes))
    }
    return switch kind {
    case .mp4: MP4Check.examine(bytes)
    case .mpegAudio: MPEGAudioCheck.examine(bytes)
    case .ogg: examineOgg(bytes)
    case .wav: examineIFF(bytes, kind, sizeAt: 4, littleEndian: true)
    case .aiff: examineIFF(bytes, kind, sizeAt: 4, littleEndian: false)
    case .flac:
      bytes.count > 42 ? .sound(kind, isWhole: false) : .truncated(missing: "audio frames")
    case .adts, .caf, .matroska: .sound(kind, isWhole: false)
    }
  }

  /// Names what is no audio file, from its first bytes.
  package static func describe(_ bytes: Span<UInt8>) -> String {
    if bytes.isEmpty { return "an empty file" }
    let prefix = (0..<min(bytes.count, 512)).map { bytes[$0] }
    let text = String(decoding: prefix, as: UTF8.self).lowercased().drop(while: \.isWhitespace)
    if text.hasPrefix("<!doctype html") || text.contains("<html") { return "a web page" }
    if text.hasPrefix("<") { return "XML" }
    if text.hasPrefix("{") || text.hasPrefix("[") { return "JSON" }
    if text.hasPrefix("#extm3u") { return "a playlist" }
    if prefix.starts(with: [0x89, 0x50, 0x4E, 0x47]) || prefix.starts(with: [0xFF, 0xD8, 0xFF]) {
      return "a picture"
    }
    if prefix.starts(with: [0x50, 0x4B, 3, 4]) { return "a zip archive" }
    if prefix.allSatisfy({ $0 == 0 }) { return "a file of zeros" }
    let isText = prefix.allSatisfy { $0 >= 0x20 && $0 != 0x7F || [9, 10, 13].contains($0) }
    return isText ? "text" : "unknown bytes"
  }

  /// RIFF and IFF: one outer chunk, whose size says where the file ends.
  private static func examineIFF(
    _ bytes: Span<UInt8>, _ kind: MediaKind, sizeAt offset: Int, littleEndian: Bool
  ) -> Verdict {
    let size =
      littleEndian
      ? bytes.littleEndian(at: offset, count: 4) : bytes.bigEndian(at: offset, count: 4)
    guard let size, bytes.count > 44 else { return .truncated(missing: "samples") }
    // Streams are written with a size of all ones, or none.
    guard size != 0, size < 0xFFFF_FF00 else { return .sound(kind, isWhole: false) }
    let end = Int(size) + 8
    guard end <= bytes.count + 1 else {
      return .truncated(missing: "\(end - bytes.count) of \(end) bytes")
    }
    return .sound(kind, isWhole: true)
  }

  /// Ogg (RFC 3533): pages one after the other, the last one marked.
  private static func examineOgg(_ bytes: Span<UInt8>) -> Verdict {
    var offset = 0
    var pages = 0
    var isLast = false
    while bytes.fourCC(at: offset) == "OggS", offset + 27 <= bytes.count {
      let segmentCount = Int(bytes[offset + 26])
      guard offset + 27 + segmentCount <= bytes.count else { break }
      var next = offset + 27 + segmentCount
      for index in 0..<segmentCount { next += Int(bytes[offset + 27 + index]) }
      guard next <= bytes.count else { break }
      isLast = bytes[offset + 5] & 4 != 0
      pages += 1
      offset = next
    }
    guard pages > 2 else { return .truncated(missing: "pages behind the headers") }
    if offset < bytes.count && !isLast { return .truncated(missing: "the rest of a page") }
    return .sound(.ogg, isWhole: isLast)
  }
}
