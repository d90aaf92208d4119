import Glibc
import PreviewThreads

/// A clip as a WAV file of 32-bit floats, at the clip's own rate and with its own channels.
///
/// The layout is that of Microsoft's "Multiple Channel Audio Data and WAVE Files": format tag
/// WAVE_FORMAT_IEEE_FLOAT with a `fact` chunk; WAVE_FORMAT_EXTENSIBLE for more than two channels.
public struct WAVFile: Sendable {
  private let clip: AudioClip
  private static let threads = BlockingThreads()

  /// - Parameter clip: what the file is to hold.
  public init(_ clip: AudioClip) {
    self.clip = clip
  }

  /// Writes the file: under another name beside it, which is renamed once all is on disk.
  ///
  /// After a failure there is what was there before.
  ///
  /// - Parameter path: the file; one that exists is replaced.
  /// - Throws: `cannotWrite`, `tooLargeForWAV`.
  public func write(to path: String) async throws(PlaybackError) {
    try await Self.threads.run { () throws(PlaybackError) in
      let header = try header()
      let file = try ReplacementFile(for: path)
      unsafe try file.write(header.span.bytes)
      unsafe try file.write(clip.samples.span.bytes)
      try file.publish()
    }
  }

  /// Everything in front of the samples.
  ///
  /// - Throws: `tooLargeForWAV`, where a length does not fit its 32 bits.
  func header() throws(PlaybackError) -> [UInt8] {
    let format = clip.format
    let isExtensible = format.channelCount > 2
    let frameLength = format.channelCount * 4
    let formatLength = isExtensible ? 40 : 18
    let dataLength = clip.samples.count * 4
    // Behind the first eight bytes: "WAVE", then three chunks with eight bytes in front of each.
    let length = 4 + (8 + formatLength) + (8 + 4) + (8 + dataLength)
    guard length <= Int(UInt32.max), frameLength <= Int(UInt16.max) else { throw .tooLargeForWAV }

    var bytes = LittleEndianBytes()
    bytes.append("RIFF")
    bytes.append(UInt32(length))
    bytes.append("WAVEfmt ")
    bytes.append(UInt32(formatLength))
    bytes.append(UInt16(isExtensible ? 0xFFFE : 3))
    bytes.append(UInt16(format.channelCount))
    bytes.append(UInt32(format.sampleRate))
    bytes.append(UInt32(format.sampleRate * frameLength))
    bytes.append(UInt16(frameLength))
    bytes.append(UInt16(32))
    bytes.append(UInt16(formatLength - 18))
    if isExtensible {
      bytes.append(UInt16(32))
      bytes.append(UInt32(truncatingIfNeeded: format.channelMask))
      // KSDATAFORMAT_SUBTYPE_IEEE_FLOAT.
      bytes.bytes += [3, 0, 0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    }
    bytes.append("fact")
    bytes.append(UInt32(4))
    bytes.append(UInt32(clip.frameCount))
    bytes.append("data")
    bytes.append(UInt32(dataLength))
    return bytes.bytes
  }
}

/// Bytes of a format that writes numbers with the least significant byte first.
private struct LittleEndianBytes {
  var bytes: [UInt8] = []

  mutating func append(_ code: String) { bytes += code.utf8 }

  mutating func append(_ number: some FixedWidthInteger) {
    for shift in stride(from: 0, to: number.bitWidth, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}
