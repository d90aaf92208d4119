import CMpg123
import PreviewMedia

/// Decodes MPEG audio with libmpg123: exact at both ends where an encoder's tag says how, and at home
/// in free format.
struct MPG123Decoder: ClipDecoder {
  /// How many bytes of junk may lie before the audio; nil for libmpg123's own limit of 1024.
  let junkLimit: Int?

  func decode(
    _ file: borrowing AudioFile, until cancellation: Cancellation
  ) throws(PlaybackError) -> AudioClip {
    let declared = try MPEGInfoFrame.declaredDuration(of: file)
    let handle = try MPG123Handle(reading: file, junkLimit: junkLimit)
    var store: SampleStore?
    var conversion: FormatConversion?
    var outcome = MPG123Handle.Outcome.end
    reading: while true {
      try cancellation.check()
      outcome = handle.decodeFrame()
      switch outcome {
      case .format(let format):
        if let first = store?.format {
          try finish(conversion, into: &store)
          conversion = format == first ? nil : try FormatConversion(from: format, to: first)
        } else {
          store = SampleStore(
            format: format,
            expectedFrames: Int(
              min(declared ?? 30, SampleStore.longestDuration) * Double(format.sampleRate)))
        }
      case .samples(let samples):
        // Taken out and put back: a copy of the samples would be made otherwise.
        guard var current = store.take() else { continue }
        if let conversion {
          unsafe try conversion.convert(samples, into: &current)
        } else {
          unsafe try current.append(samples)
        }
        store = current
      case .end, .failed:
        break reading
      }
    }
    try finish(conversion, into: &store)
    guard let store else { throw .notAudio(found: "something that holds no MPEG audio") }
    return try judge(store, of: file, declared: declared, outcome)
  }

  private func finish(
    _ conversion: FormatConversion?, into store: inout SampleStore?
  ) throws(PlaybackError) {
    guard let conversion, var current = store.take() else { return }
    try conversion.finish(into: &current)
    store = current
  }

  /// libmpg123 reports neither a cut file nor one that was preallocated and not filled; junk behind the
  /// audio it reports as an error, which is none.
  private func judge(
    _ store: consuming SampleStore, of file: borrowing AudioFile, declared: Double?,
    _ outcome: MPG123Handle.Outcome
  ) throws(PlaybackError) -> AudioClip {
    let decoded = store.duration
    guard store.frameCount > 0 else {
      if case .failed = outcome { throw .damaged(decodedSeconds: 0) }
      throw .noSound
    }
    if let declared, decoded < declared - 0.5 {
      throw .truncated(decodedSeconds: decoded, declaredSeconds: declared)
    }
    let zeros = try file.trailingZeroCount()
    let whole = decoded * Double(file.size) / Double(max(1, file.size - zeros))
    if whole - decoded > 0.5, zeros > file.size / 20 {
      throw .truncated(decodedSeconds: decoded, declaredSeconds: declared ?? whole)
    }
    return store.clip()
  }
}

/// Brings a stretch of another format to the format of the clip.
private enum FormatConversion {
  case monoToStereo
  case stereoToMono
  /// Another rate.
  case resampled(LibAVConverter, from: AudioFormat)

  init(from format: AudioFormat, to first: AudioFormat) throws(PlaybackError) {
    if format.sampleRate == first.sampleRate {
      self = first.channelCount == 2 ? .monoToStereo : .stereoToMono
    } else {
      self = .resampled(LibAVConverter(to: first, library: try LibAV.loaded.get()), from: format)
    }
  }

  func convert(
    _ samples: UnsafeBufferPointer<Float>, into store: inout SampleStore
  ) throws(PlaybackError) {
    var converted: [Float] = []
    switch self {
    case .monoToStereo:
      converted.reserveCapacity(samples.count * 2)
      for index in samples.indices {
        let sample = unsafe samples[index]
        converted.append(sample)
        converted.append(sample)
      }
    case .stereoToMono:
      converted.reserveCapacity(samples.count / 2)
      for left in stride(from: 0, to: samples.count - 1, by: 2) {
        converted.append(unsafe (samples[left] + samples[left + 1]) / 2)
      }
    case .resampled(let converter, let format):
      unsafe try converter.convert(samples, of: format, into: &store)
      return
    }
    let result: Result<Void, PlaybackError> = unsafe converted.withUnsafeBufferPointer { buffer in
      Result { () throws(PlaybackError) in unsafe try store.append(buffer) }
    }
    try result.get()
  }

  func finish(into store: inout SampleStore) throws(PlaybackError) {
    if case .resampled(let converter, _) = self { try converter.finish(into: &store) }
  }
}
