import CLibAV
import PreviewMedia

/// Decodes everything but MPEG audio, with libavformat, libavcodec and libswresample.
struct LibAVDecoder: ClipDecoder {
  /// What the bytes are; nil where libavformat has to find out.
  let kind: MediaKind?
  let library: LibAV

  /// How many packets in a row may fail before the rest is given up.
  private static let mostFailuresInARow = 64

  func decode(
    _ file: borrowing AudioFile, until cancellation: Cancellation
  ) throws(PlaybackError) -> AudioClip {
    let movie = kind == .mp4 ? try MovieTiming(of: file) : nil
    if let movie, !movie.hasDescription {
      if movie.isCut { throw .truncated(decodedSeconds: 0, declaredSeconds: nil) }
      throw .notAudio(found: "an MP4 file without a description of its media (no moov)")
    }
    let container = try LibAVContainer(path: file.path, library: library)
    var run = try DecodingRun(of: container, library: library)
    try run.decodeAll(until: cancellation)
    let clip = try run.clip(movie: movie, isMP4: kind == .mp4)
    if let declaredSize = try file.declaredSize(kind) {
      let declared = clip.duration * Double(declaredSize) / Double(file.size)
      guard clip.duration >= declared - 0.5 else {
        throw .truncated(decodedSeconds: clip.duration, declaredSeconds: declared)
      }
    }
    return clip
  }

  /// One pass through a file: send packets, receive frames (libavcodec, avcodec.h, "send/receive
  /// encoding and decoding API overview").
  private struct DecodingRun {
    let container: LibAVContainer
    let library: LibAV
    let codec: LibAVCodec
    let frame: LibAVFrame
    var converter: LibAVConverter?
    var store: SampleStore?
    var packetCount = 0
    var failureCount = 0
    var failuresInARow = 0
    /// Whether a failure was one of libav rather than of the file.
    var lacksSupport = false

    init(of container: LibAVContainer, library: LibAV) throws(PlaybackError) {
      self.container = container
      self.library = library
      codec = try LibAVCodec(for: container, library: library)
      frame = LibAVFrame(library: library)
    }

    mutating func decodeAll(until cancellation: Cancellation) throws(PlaybackError) {
      let packet = LibAVPacket(library: library)
      while failuresInARow < LibAVDecoder.mostFailuresInARow, container.read(into: packet) {
        try cancellation.check()
        if packet.isEncrypted { throw .encrypted }
        packetCount += 1
        try send(packet)
      }
      try send(nil)
      if var finished = store.take() {
        try converter?.finish(into: &finished)
        store = finished
      }
    }

    private mutating func send(_ packet: LibAVPacket?) throws(PlaybackError) {
      var answer = codec.send(packet)
      if case .full = answer {
        try receiveAll()
        answer = codec.send(packet)
      }
      if case .refused(let status) = answer { count(failure: status) }
      try receiveAll()
    }

    private mutating func receiveAll() throws(PlaybackError) {
      while true {
        switch codec.receive(into: frame) {
        case .frame:
          failuresInARow = 0
          try keepFrame()
        case .nothing:
          return
        case .failed(let status):
          count(failure: status)
          // An error that does not go away when asked again would keep this loop busy for ever.
          if failuresInARow >= LibAVDecoder.mostFailuresInARow { return }
        }
      }
    }

    /// A packet that does not decode is skipped.
    private mutating func count(failure status: Int32) {
      if LibAVCodec.speaksOfSupport(status) { lacksSupport = true }
      failureCount += 1
      failuresInARow += 1
    }

    private mutating func keepFrame() throws(PlaybackError) {
      let converter: LibAVConverter
      if let current = self.converter {
        converter = current
      } else {
        converter = try LibAVConverter(from: frame, library: library)
        self.converter = converter
      }
      // Taken out and put back: a copy of the samples would be made otherwise.
      var store =
        self.store.take()
        ?? SampleStore(
          format: converter.format,
          expectedFrames: Int(
            min(container.declaredDuration ?? 0, SampleStore.longestDuration)
              * Double(converter.format.sampleRate)) + 4096)
      try converter.convert(frame, into: &store)
      self.store = store
    }

    /// Judges the whole: cut files, and those that mostly fail, end without an error of libav's.
    consuming func clip(movie: MovieTiming?, isMP4: Bool) throws(PlaybackError) -> AudioClip {
      guard let store, store.frameCount > 0 else {
        if movie?.isCut == true {
          throw .truncated(decodedSeconds: 0, declaredSeconds: container.declaredDuration)
        }
        if lacksSupport { throw .unsupportedCodec(codec.name) }
        if failureCount > 0 { throw .damaged(decodedSeconds: 0) }
        throw .noSound
      }
      if let declared = container.declaredDuration, store.duration < declared - 0.5 {
        // What an MP4 file declares may be wrong by hours though all its samples are there.
        if !isMP4 || movie?.isCut == true || failureCount > 0 {
          throw .truncated(decodedSeconds: store.duration, declaredSeconds: declared)
        }
      }
      if failureCount * 2 > packetCount { throw .damaged(decodedSeconds: store.duration) }
      let length = movie?.presentedFrames(
        ofTrack: container.streamID, at: store.format.sampleRate, timescale: container.timescale,
        iTunSMPB: container.tag("iTunSMPB"))
      return store.clip(cutTo: length)
    }
  }
}
