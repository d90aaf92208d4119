/// A decoded clip, whole and in memory.
public struct AudioClip: Sendable, Equatable {
  /// How `samples` are to be read.
  public let format: AudioFormat
  /// The samples, interleaved: one of each channel, then the next frame.
  ///
  /// Full scale is -1 to 1; what a lossy decoder makes may go beyond. None is infinite or no
  /// number.
  public let samples: [Float]

  /// Makes a clip.
  ///
  /// - Parameters:
  ///   - format: how the samples are to be read.
  ///   - samples: interleaved; their number is a multiple of the format's channels.
  public init(format: AudioFormat, samples: [Float]) {
    precondition(samples.count % format.channelCount == 0, "a frame without all its channels")
    self.format = format
    self.samples = samples
  }

  /// Samples of one channel.
  public var frameCount: Int { samples.count / format.channelCount }

  /// The length in seconds.
  public var duration: Double { Double(frameCount) / Double(format.sampleRate) }
}
