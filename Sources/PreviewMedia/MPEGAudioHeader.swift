/// The four bytes every MPEG audio frame begins with (ISO/IEC 11172-3, section 2.4.1.3).
package struct MPEGAudioHeader: Equatable, Sendable {
  /// Sample frames a second.
  package let sampleRate: Int
  /// 1, 2 or 3.
  package let layer: Int
  /// 1 for mono, else 2.
  package let channelCount: Int
  /// Sample frames in one MPEG frame.
  package let frameLength: Int
  /// Bytes from this header to the next; nil in free format, where only the next header tells.
  package let byteCount: Int?

  /// Reads a header; nil where there is none, or one no decoder accepts.
  package init?(at offset: Int, in bytes: Span<UInt8>) {
    guard let word = bytes.bigEndian(at: offset, count: 4), word >> 21 == 0x7FF else { return nil }
    let version = Int(word >> 19 & 3)  // 0: MPEG-2.5, 2: MPEG-2, 3: MPEG-1
    let layerBits = Int(word >> 17 & 3)
    let rateIndex = Int(word >> 12 & 15)
    let frequencyIndex = Int(word >> 10 & 3)
    let padding = Int(word >> 9 & 1)
    guard version != 1, layerBits != 0, rateIndex != 15, frequencyIndex != 3, word & 3 != 2
    else { return nil }

    let isMPEG1 = version == 3
    layer = 4 - layerBits
    sampleRate = [44100, 48000, 32000][frequencyIndex] >> (isMPEG1 ? 0 : version == 2 ? 1 : 2)
    channelCount = word >> 6 & 3 == 3 ? 1 : 2
    frameLength = layer == 1 ? 384 : layer == 2 || isMPEG1 ? 1152 : 576

    guard rateIndex > 0 else {
      byteCount = nil
      return
    }
    let row = isMPEG1 ? layer - 1 : layer == 1 ? 3 : 4
    let bitRate = Self.kilobits[row][rateIndex - 1] * 1000
    byteCount =
      layer == 1
      ? (12 * bitRate / sampleRate + padding) * 4
      : frameLength / 8 * bitRate / sampleRate + padding
  }

  /// Kilobits a second by index: MPEG-1 layers I to III, then MPEG-2 layer I, then layers II and III.
  private static let kilobits = [
    [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  ]
}
