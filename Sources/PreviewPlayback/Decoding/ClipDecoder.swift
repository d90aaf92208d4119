import Synchronization

/// Turns a whole file into a clip.
protocol ClipDecoder {
  /// Decodes the file from its start to its end.
  ///
  /// - Parameters:
  ///   - file: what to decode.
  ///   - cancellation: looked at between two frames.
  /// - Returns: the clip, at the file's own rate and with its own channels.
  /// - Throws: what is wrong with the file, and `canceled`.
  func decode(
    _ file: borrowing AudioFile, until cancellation: Cancellation
  ) throws(PlaybackError) -> AudioClip
}

/// Says to a thread that blocks that its result is no longer wanted.
final class Cancellation: Sendable {
  private let flag = Atomic(false)

  func cancel() {
    flag.store(true, ordering: .relaxed)
  }

  var isCanceled: Bool { flag.load(ordering: .relaxed) }

  /// Throws `canceled` once `cancel` was called.
  func check() throws(PlaybackError) {
    if isCanceled { throw .canceled }
  }
}
