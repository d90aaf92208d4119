import PreviewMedia

/// The frame without sound in front of MPEG audio in which encoders say how many frames follow: named
/// "Xing" or "Info" (Xing's VBR header, LAME's tag) or "VBRI" (Fraunhofer).
enum MPEGInfoFrame {
  /// The length in seconds that the frame declares; nil where there is none, or without a count.
  static func declaredDuration(of file: borrowing AudioFile) throws(PlaybackError) -> Double? {
    let tag = try file.read(10, at: 0)
    let start = ID3v2Tag.length(at: tag.span)
    let frame = try file.read(64, at: start)
    let bytes = frame.span
    guard let header = MPEGAudioHeader(at: 0, in: bytes), header.layer == 3,
      let count = frameCount(in: bytes, header)
    else { return nil }
    return Double(count * header.frameLength) / Double(header.sampleRate)
  }

  private static func frameCount(in bytes: Span<UInt8>, _ header: MPEGAudioHeader) -> Int? {
    // Xing's lies behind the side information, whose length depends on version and channels.
    let isMPEG1 = header.frameLength == 1152
    let isMono = header.channelCount == 1
    let xing = 4 + (isMPEG1 ? (isMono ? 17 : 32) : (isMono ? 9 : 17))
    if ["Xing", "Info"].contains(bytes.fourCC(at: xing)) {
      guard let flags = bytes.bigEndian(at: xing + 4, count: 4), flags & 1 == 1 else { return nil }
      return bytes.bigEndian(at: xing + 8, count: 4).map { Int($0) }
    }
    // VBRI's lies at a fixed place: version, delay, quality and bytes in front of the frames.
    guard bytes.fourCC(at: 36) == "VBRI" else { return nil }
    return bytes.bigEndian(at: 36 + 14, count: 4).map { Int($0) }
  }
}
