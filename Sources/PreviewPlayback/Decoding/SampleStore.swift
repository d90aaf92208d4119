/// Gathers the samples of a clip while it is decoded.
struct SampleStore {
  let format: AudioFormat
  private(set) var samples: [Float] = []
  private let limit: Int

  /// The longest clip that is kept in memory, in seconds.
  static let longestDuration = 900.0
  /// The most samples that are kept in memory: 350 MB.
  private static let mostSamples = 350_000_000 / MemoryLayout<Float>.stride

  /// - Parameters:
  ///   - format: of every sample that will be added.
  ///   - expectedFrames: how many are likely to come, to reserve the memory at once.
  init(format: AudioFormat, expectedFrames: Int) {
    self.format = format
    let longest = Int(Self.longestDuration) * format.sampleRate * format.channelCount
    limit = min(longest, Self.mostSamples)
    samples.reserveCapacity(
      min(max(0, expectedFrames), limit / format.channelCount) * format.channelCount)
  }

  var frameCount: Int { samples.count / format.channelCount }
  var duration: Double { Double(frameCount) / Double(format.sampleRate) }

  /// Adds interleaved samples.
  ///
  /// - Throws: `tooLong`.
  mutating func append(_ more: UnsafeBufferPointer<Float>) throws(PlaybackError) {
    unsafe samples.append(contentsOf: more)
    guard samples.count <= limit else {
      throw .tooLong(
        limitSeconds: Double(limit / format.channelCount) / Double(format.sampleRate))
    }
  }

  /// What was gathered, cut to so many frames.
  ///
  /// Infinities and what is no number become 0, for a sound server may mix them into everything else;
  /// so do numbers too small for the processor's fast path.
  consuming func clip(cutTo frames: Int? = nil) -> AudioClip {
    if let frames, frames < frameCount {
      samples.removeLast(samples.count - frames * format.channelCount)
    }
    unsafe samples.withUnsafeMutableBufferPointer { buffer in
      for index in buffer.indices
      where unsafe !(buffer[index].isNormal || buffer[index] == 0) {
        unsafe buffer[index] = 0
      }
    }
    return AudioClip(format: format, samples: samples)
  }
}
