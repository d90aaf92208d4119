import PreviewMedia
import PreviewThreads

/// Decodes audio files into memory: MPEG audio with libmpg123, everything else with libav.
///
/// The bytes decide which, not the name. Several calls run beside one another.
public final class AudioDecoder: Sendable {
  // Two: a file for libmpg123 does not wait until libav is loaded.
  private let threads = BlockingThreads(count: 2)

  /// Makes a decoder.
  ///
  /// - Parameter loadsAhead: whether libav, which takes 50 to 100 ms to load, is loaded at once and on
  ///   a thread of its own, so that it is there when a file is. Where `false`, it is loaded when the
  ///   first file needs it.
  public init(loadsAhead: Bool = true) {
    if loadsAhead {
      threads.enqueue { _ = LibAV.loaded }
    }
  }

  /// Decodes a file from its start to its end.
  ///
  /// The samples are those that the decoder makes, without the encoder's delay at the start, and
  /// without its padding at the end where the file says how much that is.
  ///
  /// - Parameter path: of a regular file.
  /// - Returns: the clip at the file's own rate and with its own channels.
  /// - Throws: what is wrong with the file; `canceled` soon after the task is canceled.
  public func decode(_ path: String) async throws(PlaybackError) -> AudioClip {
    let cancellation = Cancellation()
    let result: Result<AudioClip, PlaybackError> = await withTaskCancellationHandler {
      await threads.run { () -> Result<AudioClip, PlaybackError> in
        Result { () throws(PlaybackError) in
          try cancellation.check()
          let file = try AudioFile(path: path)
          return try Self.decoder(for: file).decode(file, until: cancellation)
        }
      }
    } onCancel: {
      cancellation.cancel()
    }
    return try result.get()
  }

  private static func decoder(
    for file: borrowing AudioFile
  ) throws(PlaybackError) -> any ClipDecoder {
    switch try FileContent(of: file) {
    case .audio(.mpegAudio): MPG123Decoder(junkLimit: nil)
    case .audio(let kind): LibAVDecoder(kind: kind, library: try LibAV.loaded.get())
    case .other(let words): throw .notAudio(found: words)
    // MPEG audio is a bare stream, so any bytes may come before it.
    case .unknown where file.path.lowercased().hasSuffix(".mp3"):
      MPG123Decoder(junkLimit: 262_144)
    case .unknown: LibAVDecoder(kind: nil, library: try LibAV.loaded.get())
    }
  }
}
