/// How the samples of a clip are to be read.
public struct AudioFormat: Sendable, Hashable {
  /// Sample frames a second.
  public var sampleRate: Int
  /// Samples in one frame.
  public var channelCount: Int
  /// The speakers of the channels, a bit each, in the order of the channels; 0 where the file does
  /// not say.
  ///
  /// The bits are those of `dwChannelMask` in WAVEFORMATEXTENSIBLE (Microsoft, mmreg.h), which libav's
  /// `AV_CH_*` share: 1 front left, 2 front right, 4 front center, 8 low frequency, and so on.
  public var channelMask: UInt64

  /// Makes a format.
  ///
  /// - Parameters:
  ///   - sampleRate: sample frames a second, more than 0.
  ///   - channelCount: samples in one frame, more than 0.
  ///   - channelMask: the speakers; where it is 0 and there are one or two channels, they are the
  ///     center, or left and right.
  public init(sampleRate: Int, channelCount: Int, channelMask: UInt64 = 0) {
    precondition(sampleRate > 0 && channelCount > 0, "a format without rate or channels")
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    let usual: [UInt64] = [0x4, 0x3]
    self.channelMask =
      channelMask == 0 && channelCount <= usual.count ? usual[channelCount - 1] : channelMask
  }
}
