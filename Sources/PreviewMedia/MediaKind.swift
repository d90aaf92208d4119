/// What a file's bytes are, whatever its name or its server says.
package enum MediaKind: String, Sendable, CaseIterable {
  /// ISO base media: MP4, M4A, 3GP, QuickTime (ISO/IEC 14496-12).
  case mp4
  /// MPEG audio, layers I to III (ISO/IEC 11172-3, 13818-3), with or without an ID3v2 tag.
  case mpegAudio
  /// AAC in ADTS frames (ISO/IEC 13818-7).
  case adts
  case flac
  case ogg
  case wav
  case aiff
  case caf
  /// Matroska and WebM.
  case matroska

  /// The extension a finished clip of this kind gets, without the dot.
  package var fileExtension: String {
    switch self {
    case .mp4: "m4a"
    case .mpegAudio: "mp3"
    case .adts: "aac"
    case .flac: "flac"
    case .ogg: "ogg"
    case .wav: "wav"
    case .aiff: "aiff"
    case .caf: "caf"
    case .matroska: "mka"
    }
  }

  /// How many bytes `init(startOf:)` wants at least to tell every kind apart.
  package static let prefixLength = 12

  /// Tells the kind from the first bytes; nil where they are no audio file's.
  ///
  /// - Parameter bytes: the start of the file. Behind an ID3v2 tag that is longer than what is given,
  ///   MPEG audio is assumed, which is what carries such tags.
  package init?(startOf bytes: Span<UInt8>) {
    let start = ID3v2Tag.length(at: bytes)
    guard start + 4 <= bytes.count else {
      guard start > 0 else { return nil }
      self = .mpegAudio
      return
    }
    switch bytes.fourCC(at: start) {
    case "fLaC": self = .flac
    case "OggS": self = .ogg
    case "RIFF" where bytes.fourCC(at: start + 8) == "WAVE": self = .wav
    case "FORM" where ["AIFF", "AIFC"].contains(bytes.fourCC(at: start + 8)): self = .aiff
    case "caff": self = .caf
    case _ where bytes.fourCC(at: start + 4) == "ftyp": self = .mp4
    case _ where bytes.bigEndian(at: start, count: 4) == 0x1A45_DFA3: self = .matroska
    case _ where MPEGAudioHeader(at: start, in: bytes) != nil: self = .mpegAudio
    case _ where bytes[start] == 0xFF && bytes[start + 1] & 0xF6 == 0xF0: self = .adts
    case _ where start > 0: self = .mpegAudio
    case _ where Self.isMPEGAudioBehindJunk(bytes): self = .mpegAudio
    default: return nil
    }
  }

  /// Whether three frames in a row begin somewhere in the first bytes: a tag that was cut off badly
  /// leaves its end in front of them.
  private static func isMPEGAudioBehindJunk(_ bytes: Span<UInt8>) -> Bool {
    for start in 0..<min(bytes.count, 8 << 10) where bytes[start] == 0xFF {
      var offset = start
      var frames = 0
      while frames < 3, let header = MPEGAudioHeader(at: offset, in: bytes),
        let length = header.byteCount
      {
        frames += 1
        offset += length
      }
      if frames == 3 { return true }
    }
    return false
  }
}
