import CLibAV

/// The functions of libav, looked up once in a process.
///
/// The functions may be called on any thread; what they are called on belongs to one owner each.
@safe struct LibAV: @unchecked Sendable {
  let functions: LibAVFunctions

  /// The loaded library, or `decoderUnavailable`.
  ///
  /// The first use takes 50 to 100 ms.
  static let loaded: Result<LibAV, PlaybackError> = {
    var functions = LibAVFunctions()
    if let reason = unsafe clibav_load(&functions) {
      return .failure(
        .decoderUnavailable(reason: unsafe String(cString: reason), package: "libavformat59"))
    }
    // What libav would print, the thrown errors say.
    functions.av_log_set_level(AV_LOG_QUIET)
    return .success(LibAV(functions: functions))
  }()

  /// libav's own words for an error code.
  ///
  /// Wraps av_strerror.
  func message(for code: Int32) -> String {
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      guard let start = buffer.baseAddress,
        unsafe functions.av_strerror(code, start, buffer.count) == 0
      else { return "error \(code)" }
      return unsafe String(cString: start)
    }
  }
}
