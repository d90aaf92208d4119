/// Reads an MP4 file's boxes and sees whether its sound lies inside the file.
enum MP4Check {
  /// Sample entries of protected streams (ISO/IEC 14496-12, section 8.12, and Apple's FairPlay).
  private static let protected: Set<String> = ["enca", "drms", "drmi", "encv", "aavd"]

  /// Sample entries of samples that are not coded: their silence is zeros.
  private static let plain: Set<String> = [
    "sowt", "twos", "lpcm", "ipcm", "fpcm", "in24", "in32", "raw ", "fl32", "fl64", "NONE",
  ]

  static func examine(_ bytes: Span<UInt8>) -> MediaCheck.Verdict {
    let boxes = MP4Box.boxes(from: 0, to: bytes.count, in: bytes)
    let end = boxes.last?.end ?? 0
    guard let movie = boxes.first(where: { $0.type == "moov" }) else {
      return .truncated(missing: "its index (moov)")
    }
    guard movie.end <= bytes.count else {
      return .truncated(missing: "the end of its index (moov)")
    }
    let tracks = movie.children(in: bytes).filter { $0.type == "trak" && isSound($0, bytes) }
    guard !tracks.isEmpty else { return .notAudio(found: "a video or file without sound") }
    if tracks.contains(where: { isProtected($0, bytes) }) { return .encrypted }

    let isFragmented = movie.descendant("mvex", in: bytes) != nil
    let isWhole = end == bytes.count
    if isFragmented {
      guard boxes.contains(where: { $0.type == "moof" }) else {
        return .truncated(missing: "all its fragments")
      }
      guard end <= bytes.count else { return .truncated(missing: "\(end - bytes.count) bytes") }
      return .sound(.mp4, isWhole: isWhole)
    }
    let extents = tracks.compactMap { mediaEnd(of: $0, bytes) }
    guard let mediaEnd = extents.max(), mediaEnd > 0 else {
      return .notAudio(found: "a file without sound")
    }
    guard mediaEnd <= bytes.count else {
      return .truncated(missing: "\(mediaEnd - bytes.count) of \(mediaEnd) bytes")
    }
    let isPlain = tracks.contains { !sampleEntries($0, bytes).isDisjoint(with: plain) }
    guard isPlain || !endsInZeros(mediaEnd, bytes) else {
      return .truncated(missing: "its last bytes, which are zeros")
    }
    return .sound(.mp4, isWhole: isWhole)
  }

  /// Whether the last samples are zeros throughout: a file that was laid out at its full size and
  /// never filled.
  ///
  /// No codec's frames are, silent ones included; plain samples would have to be silent.
  private static func endsInZeros(_ mediaEnd: Int, _ bytes: Span<UInt8>) -> Bool {
    guard mediaEnd >= 4096 else { return false }
    return (mediaEnd - 2048..<mediaEnd).allSatisfy { bytes[$0] == 0 }
  }

  private static func isSound(_ track: MP4Box, _ bytes: Span<UInt8>) -> Bool {
    guard let handler = track.descendant("mdia", "hdlr", in: bytes) else { return false }
    return bytes.fourCC(at: handler.start + 8) == "soun"
  }

  private static func isProtected(_ track: MP4Box, _ bytes: Span<UInt8>) -> Bool {
    !sampleEntries(track, bytes).isDisjoint(with: protected)
  }

  /// The types of the track's sample entries, which name its codecs.
  private static func sampleEntries(_ track: MP4Box, _ bytes: Span<UInt8>) -> Set<String> {
    guard let table = sampleTable(track, bytes)?.descendant("stsd", in: bytes) else { return [] }
    let entries = MP4Box.boxes(from: table.start + 8, to: min(table.end, bytes.count), in: bytes)
    return Set(entries.map(\.type))
  }

  private static func sampleTable(_ track: MP4Box, _ bytes: Span<UInt8>) -> MP4Box? {
    track.descendant("mdia", "minf", "stbl", in: bytes)
  }

  /// Where the last byte of the track's samples lies; 0 without samples, nil without the tables.
  ///
  /// Chunks hold runs of samples (section 8.7): the table `stsc` says how many each chunk has,
  /// `stsz` how long each sample is, `stco` or `co64` where each chunk begins.
  private static func mediaEnd(of track: MP4Box, _ bytes: Span<UInt8>) -> Int? {
    guard let table = sampleTable(track, bytes),
      let sizes = table.descendant("stsz", in: bytes),
      let runs = table.descendant("stsc", in: bytes),
      let fixedSize = bytes.bigEndian(at: sizes.start + 4, count: 4),
      let sampleCount = bytes.bigEndian(at: sizes.start + 8, count: 4).map({ Int($0) }),
      let runCount = bytes.bigEndian(at: runs.start + 4, count: 4).map({ Int($0) }),
      let offsets = table.descendant("stco", in: bytes) ?? table.descendant("co64", in: bytes),
      let chunkCount = bytes.bigEndian(at: offsets.start + 4, count: 4).map({ Int($0) })
    else { return nil }
    let offsetSize = offsets.type == "co64" ? 8 : 4

    var end = 0
    var sample = 0
    var run = 0
    for chunk in 0..<chunkCount {
      while run + 1 < runCount,
        let first = bytes.bigEndian(at: runs.start + 8 + 12 * (run + 1), count: 4),
        Int(first) <= chunk + 1
      {
        run += 1
      }
      guard sample < sampleCount,
        let perChunk = bytes.bigEndian(at: runs.start + 8 + 12 * run + 4, count: 4),
        let offset = bytes.bigEndian(at: offsets.start + 8 + offsetSize * chunk, count: offsetSize),
        offset < UInt64(Int.max >> 1)
      else { break }
      let samples = min(Int(perChunk), sampleCount - sample)
      var length = UInt64(samples).multipliedReportingOverflow(by: fixedSize).partialValue
      if fixedSize == 0 {
        for index in sample..<sample + samples {
          guard let size = bytes.bigEndian(at: sizes.start + 12 + 4 * index, count: 4) else {
            return nil
          }
          length += size
        }
      }
      sample += samples
      end = max(end, Int(offset) + Int(length & UInt64(Int.max >> 1)))
    }
    return end
  }
}
