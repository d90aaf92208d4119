import PreviewThreads

/// Why a file does not become sound.
public enum PlaybackError: Error, Equatable, Sendable {
  /// The file cannot be opened or read; `errno` says why.
  case unreadable(path: String, errno: Int32)
  /// The bytes are no audio file's; `found` says in words what they are, such as "a web page".
  case notAudio(found: String)
  /// A media file without an audio stream.
  case noAudioStream
  /// The audio is protected (DRM).
  case encrypted
  /// libav has no decoder for the codec of this name.
  case unsupportedCodec(String)
  /// The file was cut: so many seconds of those it declares, where it declares them, can be decoded.
  case truncated(decodedSeconds: Double, declaredSeconds: Double?)
  /// Most of the audio data does not decode.
  case damaged(decodedSeconds: Double)
  /// A well-formed file without a single sample.
  case noSound
  /// More audio than is kept in memory; `limitSeconds` is the most.
  case tooLong(limitSeconds: Double)
  /// A library that decodes is not there: the dynamic linker's reason, and Debian's package.
  case decoderUnavailable(reason: String, package: String)
  /// libpulse is not there: the dynamic linker's reason, and Debian's package.
  case outputUnavailable(reason: String, package: String)
  /// No sound server answers; `tried` is the address, `reason` libpulse's text.
  case soundServerUnavailable(tried: String, reason: String)
  /// The runtime directory, where the sound server's socket lies, is another user's.
  case foreignRuntimeDirectory(path: String, isRoot: Bool)
  /// The sound server has no device to play to.
  case noOutputDevice
  /// The sound server went away, or took no more samples, at so many seconds into the clip.
  case soundServerLost(atSeconds: Double, reason: String)
  /// The output device stayed suspended for so many seconds.
  case outputSuspended(seconds: Double)
  /// The sound server refused the stream; `reason` is libpulse's text.
  case outputRefused(reason: String)
  /// The file cannot be written; `errno` says why.
  case cannotWrite(path: String, errno: Int32)
  /// More samples than a WAV file holds.
  case tooLargeForWAV
  /// The task was canceled.
  case canceled
}

extension PlaybackError: CustomStringConvertible {
  /// A sentence that says what went wrong and what to do about it.
  public var message: String {
    switch self {
    case .unreadable(let path, let code):
      "Cannot read \(path): \(systemMessage(code))."
    case .notAudio(let found):
      "This is not an audio file but \(found). Download it again, or pick another track."
    case .noAudioStream:
      "There is no audio in this file. Pick another one."
    case .encrypted:
      "The audio in this file is protected (DRM). Only the store's own player can play it."
    case .unsupportedCodec(let name):
      "The codec \(name) is not supported by this FFmpeg. Install a newer one, or pick another file."
    case .truncated(let decoded, let declared?):
      "The file is incomplete (\(tenths(decoded)) of \(tenths(declared)) s). Download it again."
    case .truncated(_, nil):
      "The file is incomplete: what describes its media is missing. Download it again."
    case .damaged(let decoded):
      "The file is damaged (only \(tenths(decoded)) s can be decoded). Download it again."
    case .noSound:
      "The file holds no sound. Download it again, or pick another track."
    case .tooLong(let limit):
      "The file is longer than the \(tenths(limit)) s that fit in memory. Play it with another player."
    case .decoderUnavailable(let reason, let package):
      "Cannot decode this file: \(reason). Install the package \(package)."
    case .outputUnavailable(let reason, let package):
      "Cannot play: \(reason). Install the package \(package)."
    case .soundServerUnavailable(let tried, let reason):
      "No sound server: \(reason) (tried \(tried)). Start PipeWire or PulseAudio, or set PULSE_SERVER."
    case .foreignRuntimeDirectory(let path, true):
      "Running as root with another user's XDG_RUNTIME_DIR (\(path)): run this as that user."
    case .foreignRuntimeDirectory(let path, false):
      "XDG_RUNTIME_DIR (\(path)) is another user's: run this as that user, or set it to your own."
    case .noOutputDevice:
      "The sound server has no output device. Connect one, or pick one in the sound settings."
    case .soundServerLost(let seconds, let reason):
      "The sound server went away at \(tenths(seconds)) s: \(reason). Start it and play again."
    case .outputSuspended(let seconds):
      "The output device has been suspended for \(tenths(seconds)) s. Wake it, or pick another one."
    case .outputRefused(let reason):
      "The sound server does not play this: \(reason). Look at its sound settings."
    case .cannotWrite(let path, let code):
      "Cannot write \(path): \(systemMessage(code))."
    case .tooLargeForWAV:
      "The clip is larger than the 4 GB of a WAV file. Pick a shorter one."
    case .canceled:
      "Canceled."
    }
  }

  /// The same as `message`.
  public var description: String { message }
}

/// Seconds with one digit behind the point, as in "14.4".
private func tenths(_ seconds: Double) -> String {
  String((seconds * 10).rounded() / 10)
}
