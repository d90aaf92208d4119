import PreviewMedia

/// What an MP4 file says about how much of each track is to be heard, and whether the file is whole:
/// the two things libavformat does not pass on (ISO/IEC 14496-12, sections 4.2, 8.2.2, 8.6.6).
struct MovieTiming {
  /// Whether there is a `moov` box, without which nothing in the file can be decoded.
  private(set) var hasDescription = false
  /// Whether a box at the top goes on beyond the end of the file.
  private(set) var isCut = false
  /// Ticks a second of the edits' lengths.
  private var timescale = 0
  /// The length of what is heard of each track, in ticks, by the track's number.
  private var editLengths: [Int: Int] = [:]

  /// The largest `moov` box that is read: 64 MB.
  private static let largestDescription = 64 << 20

  /// Reads the boxes at the top, and those in `moov` that say how long the tracks are.
  init(of file: borrowing AudioFile) throws(PlaybackError) {
    var offset = 0
    while offset + 8 <= file.size {
      let header = try file.read(16, at: offset)
      guard let box = Box(at: 0, in: header.span, end: file.size - offset) else {
        isCut = true
        break
      }
      if box.end > file.size - offset { isCut = true }
      if box.name == "moov", !isCut {
        hasDescription = true
        if box.end <= Self.largestDescription {
          let movie = try file.read(box.end, at: offset)
          read(movie: box, in: movie.span)
        }
      }
      offset += box.end
    }
  }

  /// How much of a track is to be heard after the encoder's delay.
  ///
  /// - Parameters:
  ///   - track: the track's number.
  ///   - sampleRate: of the frames that are counted.
  ///   - trackTimescale: ticks a second of the track's times, in which `iTunSMPB` counts.
  ///   - iTunSMPB: the tag by which iTunes says the delay, the padding and the length in samples, in
  ///     hexadecimal words.
  /// - Returns: sample frames; nil where the file does not say.
  func presentedFrames(
    ofTrack track: Int, at sampleRate: Int, timescale trackTimescale: Int, iTunSMPB: String?
  ) -> Int? {
    if let length = editLengths[track], length > 0, timescale > 0 {
      let (product, overflows) = length.multipliedReportingOverflow(by: sampleRate)
      // Rounded up: an edit that ends within a sample still has it.
      return overflows ? nil : product / timescale + (product % timescale == 0 ? 0 : 1)
    }
    let words = iTunSMPB?.split(separator: " ") ?? []
    guard words.count > 3, let length = Int(words[3], radix: 16), length > 0, trackTimescale > 0
    else { return nil }
    let (product, overflows) = length.multipliedReportingOverflow(by: sampleRate)
    return overflows ? nil : product / trackTimescale
  }

  private mutating func read(movie: Box, in bytes: Span<UInt8>) {
    movie.forEachChild(in: bytes) { child in
      if child.name == "mvhd" {
        // A version 1 header has two 64-bit times in front of the timescale, version 0 two of 32 bits.
        let isLong = bytes.bigEndian(at: child.start, count: 1) == 1
        let ticks = bytes.bigEndian(at: child.start + (isLong ? 20 : 12), count: 4)
        timescale = Int(ticks ?? 0)
      } else if child.name == "trak" {
        read(track: child, in: bytes)
      }
    }
  }

  private mutating func read(track: Box, in bytes: Span<UInt8>) {
    var number: Int?
    var length = 0
    track.forEachChild(in: bytes) { child in
      if child.name == "tkhd" {
        let isLong = bytes.bigEndian(at: child.start, count: 1) == 1
        number = bytes.bigEndian(at: child.start + (isLong ? 20 : 12), count: 4).map { Int($0) }
      } else if child.name == "edts" {
        child.forEachChild(in: bytes) { list in
          if list.name == "elst" { length = Self.length(ofEdits: list, in: bytes) }
        }
      }
    }
    if let number { editLengths[number] = length }
  }

  /// The sum of the edits' lengths, without the empty ones, which are silence before the media.
  private static func length(ofEdits list: Box, in bytes: Span<UInt8>) -> Int {
    let isLong = bytes.bigEndian(at: list.start, count: 1) == 1
    let fieldLength = isLong ? 8 : 4
    let entryLength = 2 * fieldLength + 4
    let declared = Int(bytes.bigEndian(at: list.start + 4, count: 4) ?? 0)
    var sum = 0
    for entry in 0..<min(declared, (list.end - list.start - 8) / entryLength) {
      let offset = list.start + 8 + entry * entryLength
      guard let length = bytes.bigEndian(at: offset, count: fieldLength),
        let time = bytes.bigEndian(at: offset + fieldLength, count: fieldLength),
        let ticks = Int(exactly: length), ticks < 1 << 40
      else { return 0 }
      let isEmpty = time == (isLong ? UInt64.max : UInt64(UInt32.max))
      // An edit of length 0 goes on to the end of the media, in files that are made as they are sent.
      if ticks == 0 { return 0 }
      if !isEmpty { sum += ticks }
    }
    return sum
  }
}

/// A box: four bytes of length, four of name, then its content.
private struct Box {
  let name: String
  /// Offset of the content.
  let start: Int
  /// Offset behind the content; beyond the bytes where the box was cut.
  let end: Int

  /// Reads the header of a box.
  ///
  /// - Parameters:
  ///   - offset: where the box begins.
  ///   - bytes: what holds at least the header.
  ///   - limit: where a box ends that says it goes on to the end.
  init?(at offset: Int, in bytes: Span<UInt8>, end limit: Int) {
    guard let size = bytes.bigEndian(at: offset, count: 4), let name = bytes.fourCC(at: offset + 4)
    else { return nil }
    var headerLength = 8
    var length = Int(size)
    if size == 1 {
      guard let large = bytes.bigEndian(at: offset + 8, count: 8),
        let exact = Int(exactly: large), exact < 1 << 60
      else { return nil }
      headerLength = 16
      length = exact
    } else if size == 0 {
      length = limit - offset
    }
    guard length >= headerLength else { return nil }
    self.name = name
    start = offset + headerLength
    end = offset + length
  }

  /// Calls `body` with each whole box inside this one.
  func forEachChild(in bytes: Span<UInt8>, _ body: (Box) -> Void) {
    var offset = start
    while let child = Box(at: offset, in: bytes, end: end), child.end <= end {
      body(child)
      offset = child.end
    }
  }
}
