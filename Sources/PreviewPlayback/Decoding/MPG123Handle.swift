import CMpg123
import Glibc

/// A decoder of libmpg123 that reads one open file.
@safe struct MPG123Handle: ~Copyable {
  private let handle: OpaquePointer

  /// Opens a decoder for the file; its offset moves.
  ///
  /// Wraps mpg123_new, mpg123_open_fd.
  ///
  /// - Parameters:
  ///   - file: stays open at least as long as the handle.
  ///   - junkLimit: bytes that may lie before or between the audio; nil for libmpg123's own limit.
  /// - Throws: `decoderUnavailable`, `unreadable`.
  init(reading file: borrowing AudioFile, junkLimit: Int?) throws(PlaybackError) {
    _ = mpg123_init()  // Needed by versions before 1.27 only; any number of times.
    var status: Int32 = 0
    guard let handle = unsafe mpg123_new(nil, &status) else {
      throw .decoderUnavailable(
        reason: unsafe String(cString: mpg123_plain_strerror(status)), package: "libmpg123-0")
    }
    let flags = Int(
      MPG123_QUIET.rawValue | MPG123_SKIP_ID3V2.rawValue | MPG123_FORCE_FLOAT.rawValue)
    _ = unsafe mpg123_param2(handle, Int32(MPG123_ADD_FLAGS.rawValue), flags, 0)
    // A format that changes in the middle is converted here, not guessed there.
    _ = unsafe mpg123_param2(
      handle, Int32(MPG123_REMOVE_FLAGS.rawValue), Int(MPG123_AUTO_RESAMPLE.rawValue), 0)
    if let junkLimit {
      _ = unsafe mpg123_param2(handle, Int32(MPG123_RESYNC_LIMIT.rawValue), junkLimit, 0)
    }
    lseek(file.descriptor, 0, SEEK_SET)
    guard unsafe mpg123_open_fd(handle, file.descriptor) == MPG123_OK.rawValue else {
      unsafe mpg123_delete(handle)
      throw .unreadable(path: file.path, errno: EIO)
    }
    unsafe self.handle = handle
  }

  deinit { unsafe mpg123_delete(handle) }

  /// What came of asking for a frame.
  @safe enum Outcome {
    /// The samples from here on have this format.
    case format(AudioFormat)
    /// Interleaved samples, which live until the next call.
    case samples(UnsafeBufferPointer<Float>)
    case end
    /// libmpg123's error code; once there, it stays.
    case failed(Int32)
  }

  /// Decodes the next frame.
  ///
  /// Wraps mpg123_decode_frame, mpg123_getformat.
  func decodeFrame() -> Outcome {
    var offset: off_t = 0
    var audio: UnsafeMutablePointer<UInt8>?
    var byteCount = 0
    let status = unsafe mpg123_decode_frame(handle, &offset, &audio, &byteCount)
    switch status {
    case Int32(MPG123_OK.rawValue):
      let samples = unsafe UnsafeRawPointer(audio)?.assumingMemoryBound(to: Float.self)
      return unsafe .samples(
        UnsafeBufferPointer(start: samples, count: byteCount / MemoryLayout<Float>.stride))
    case Int32(MPG123_NEW_FORMAT.rawValue):
      var rate = 0
      var channelCount: Int32 = 0
      var encoding: Int32 = 0
      guard unsafe mpg123_getformat(handle, &rate, &channelCount, &encoding) == MPG123_OK.rawValue,
        rate > 0, channelCount > 0
      else { return .failed(unsafe mpg123_errcode(handle)) }
      return .format(AudioFormat(sampleRate: rate, channelCount: Int(channelCount)))
    case Int32(MPG123_DONE.rawValue):
      return .end
    default:
      return .failed(unsafe mpg123_errcode(handle))
    }
  }
}
