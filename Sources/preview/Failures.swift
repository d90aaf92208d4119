import PreviewCatalog
import PreviewDownloads
import PreviewPlayback

extension CatalogError {
  /// What the process ends with.
  var exitCode: ExitCode {
    switch self {
    case .empty, .malformed, .notOneTrack, .shortLink, .unsupported: .wrongUsage
    case .unreadable: .unreadableInput
    case .offline, .timeout, .throttled, .untrusted, .server, .redirect, .refusedAddress, .refused,
      .unavailable:
      .unavailable
    case .noMatch, .ambiguous, .noPreview, .canceled: .trackFailed
    }
  }
}

extension PlaybackError {
  /// Whether the file itself is at fault, and not what is to read or play it.
  var isFaultOfFile: Bool {
    switch self {
    case .notAudio, .noAudioStream, .encrypted, .truncated, .damaged, .noSound: true
    default: false
    }
  }

  /// What the process ends with.
  var exitCode: ExitCode {
    switch self {
    case .outputUnavailable, .soundServerUnavailable, .foreignRuntimeDirectory, .noOutputDevice,
      .soundServerLost, .outputSuspended, .outputRefused, .decoderUnavailable:
      .unavailable
    case .cannotWrite: .diskFailure
    case .unreadable: .unreadableInput
    case .notAudio, .noAudioStream, .encrypted, .unsupportedCodec, .truncated, .damaged, .noSound,
      .tooLong, .tooLargeForWAV, .canceled:
      .trackFailed
    }
  }
}

extension DownloadFailure {
  /// What a fault of the file means for the download that brought it.
  init(_ fault: PlaybackError) {
    let reason: Reason =
      switch fault {
      case .encrypted: .encrypted
      case .truncated: .truncated
      default: .notAudio
      }
    self.init(reason, fault.message)
  }

  /// What the process ends with.
  var exitCode: ExitCode { [.disk, .diskFull].contains(reason) ? .diskFailure : .trackFailed }
}

extension Console {
  /// Says what went wrong with a command as a whole.
  func fail(_ command: String, _ message: String) {
    say("preview \(command): \(DisplayText.clean(message))")
  }
}

extension Context {
  /// Whether there is no media directory yet, which is said: only what fetches makes one.
  func isMissing(mediaDirectoryOf options: Options, _ command: String) -> Bool {
    let path = mediaDirectory(options)
    guard isMissing(path) else { return false }
    console.fail(command, "there is nothing: \(path) does not exist.")
    return true
  }
}
