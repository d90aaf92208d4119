/// Walks the frames of an MPEG audio file.
enum MPEGAudioCheck {
  /// How far behind the tag or a damaged frame the next frame is searched.
  private static let resyncLimit = 64 << 10

  static func examine(_ bytes: Span<UInt8>) -> MediaCheck.Verdict {
    let start = ID3v2Tag.length(at: bytes)
    guard start < bytes.count else { return .truncated(missing: "everything behind its tag") }
    var offset = start
    var frames = 0
    var declared: Int?
    while offset < bytes.count, let (frame, header) = nextFrame(from: offset, in: bytes) {
      guard let length = header.byteCount ?? freeLength(at: frame, header, in: bytes) else { break }
      if frames == 0 { declared = declaredFrames(at: frame, in: bytes) }
      guard frame + length <= bytes.count else {
        offset = frame
        break
      }
      frames += 1
      offset = frame + length
    }
    guard frames > 0 else {
      return start > 0
        ? .truncated(missing: "audio behind its tag") : .notAudio(found: "unknown bytes")
    }
    if let declared, frames + 1 < declared {
      return .truncated(missing: "\(declared - frames) of \(declared) frames")
    }
    return .sound(.mpegAudio, isWhole: offset == bytes.count || isTag(at: offset, in: bytes))
  }

  /// The next header that another one follows, or that the file ends behind.
  private static func nextFrame(
    from offset: Int, in bytes: Span<UInt8>
  ) -> (Int, MPEGAudioHeader)? {
    let end = min(bytes.count - 4, offset + resyncLimit)
    var candidate = offset
    while candidate <= end {
      if bytes[candidate] == 0xFF, let header = MPEGAudioHeader(at: candidate, in: bytes) {
        // At the expected place a header is believed; after junk it must prove itself.
        if candidate == offset { return (candidate, header) }
        if let length = header.byteCount,
          let next = MPEGAudioHeader(at: candidate + length, in: bytes),
          next.layer == header.layer, next.sampleRate == header.sampleRate
        {
          return (candidate, header)
        }
      }
      if candidate == offset && isTag(at: candidate, in: bytes) { return nil }
      candidate += 1
    }
    return nil
  }

  /// In free format a frame is as long as the way to the next header of the same kind.
  private static func freeLength(
    at frame: Int, _ header: MPEGAudioHeader, in bytes: Span<UInt8>
  ) -> Int? {
    var next = frame + 4
    while next <= min(bytes.count - 4, frame + 8192) {
      if bytes[next] == 0xFF, let other = MPEGAudioHeader(at: next, in: bytes),
        other.byteCount == nil, other.layer == header.layer, other.sampleRate == header.sampleRate
      {
        return next - frame
      }
      next += 1
    }
    return bytes.count - frame
  }

  /// The number of frames in a Xing or Info header, which lies in the first frame's silence.
  private static func declaredFrames(at frame: Int, in bytes: Span<UInt8>) -> Int? {
    for offset in stride(from: frame + 4, through: frame + 40, by: 1) {
      if let code = bytes.fourCC(at: offset), code == "Xing" || code == "Info" {
        guard let flags = bytes.bigEndian(at: offset + 4, count: 4), flags & 1 != 0 else {
          return nil
        }
        return bytes.bigEndian(at: offset + 8, count: 4).map { Int($0) }
      }
    }
    return nil
  }

  /// An ID3v1, APE or Lyrics3 tag, which end many files.
  private static func isTag(at offset: Int, in bytes: Span<UInt8>) -> Bool {
    guard let code = bytes.fourCC(at: offset) else { return false }
    return code.hasPrefix("TAG") || code == "APET" || code == "LYRI"
  }
}
