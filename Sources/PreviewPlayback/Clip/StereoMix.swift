/// Mixes a clip of many channels down to left and right for playing.
///
/// The weights are those of ITU-R BS.775-3, annex 4, table 2: center and surround channels at
/// 1/sqrt(2), the low frequency channel left out. They are scaled so that no mix of full-scale samples
/// is beyond full scale.
struct StereoMix {
  /// Left and right weight of each channel.
  let weights: [(left: Float, right: Float)]

  /// - Parameter format: what is to be mixed.
  init(from format: AudioFormat) {
    var speakers = (0..<64).filter { format.channelMask >> UInt64($0) & 1 == 1 }.map(Self.weight)
    if speakers.count != format.channelCount {
      speakers = (0..<format.channelCount).map { $0 % 2 == 0 ? (1, 0) : (0, 1) }
    }
    let left = speakers.reduce(0) { $0 + $1.left }
    let right = speakers.reduce(0) { $0 + $1.right }
    let loudest = max(left, right, 1)
    weights = speakers.map { (Float($0.left / loudest), Float($0.right / loudest)) }
  }

  /// The weights of one speaker, by its bit in the channel mask.
  private static func weight(ofSpeaker bit: Int) -> (left: Double, right: Double) {
    let half = 0.5.squareRoot()
    return switch bit {
    case 0: (1, 0)  // front left
    case 1: (0, 1)  // front right
    case 2: (half, half)  // front center
    case 3: (0, 0)  // low frequency
    case 4, 9, 12, 15: (half, 0)  // back, side, top front, top back left
    case 5, 10, 14, 17: (0, half)  // back, side, top front, top back right
    case 6: (1, 0)  // left of center
    case 7: (0, 1)  // right of center
    case 8, 11, 13, 16: (0.5, 0.5)  // back center, top center, top front center, top back center
    default: (0, 0)
    }
  }

  /// The clip in stereo; a clip of one or two channels as it is.
  static func playable(_ clip: AudioClip) -> AudioClip {
    guard clip.format.channelCount > 2 else { return clip }
    let weights = StereoMix(from: clip.format).weights
    var mixed: [Float] = []
    mixed.reserveCapacity(clip.frameCount * 2)
    let samples = clip.samples.span
    for frame in 0..<clip.frameCount {
      var left: Float = 0
      var right: Float = 0
      for channel in 0..<weights.count {
        let sample = max(-1, min(1, samples[frame * weights.count + channel]))
        left += sample * weights[channel].left
        right += sample * weights[channel].right
      }
      mixed.append(left)
      mixed.append(right)
    }
    return AudioClip(
      format: AudioFormat(sampleRate: clip.format.sampleRate, channelCount: 2), samples: mixed)
  }
}
