import Glibc

extension DownloadFailure {
  /// The failure a system call's error means.
  ///
  /// - Parameters:
  ///   - number: the value of `errno`.
  ///   - action: what was tried, to stand behind "cannot".
  /// - Returns: the failure, with a sentence that says what to do.
  static func disk(_ number: Int32, _ action: String) -> DownloadFailure {
    switch number {
    case ENOSPC, EDQUOT:
      DownloadFailure(
        .diskFull, "The disk is full: cannot \(action). Free some space, then: preview retry.")
    case EROFS, EACCES, EPERM:
      DownloadFailure(
        .disk,
        "Cannot \(action): \(systemMessage(number)). Choose another directory with --media-dir.")
    default:
      DownloadFailure(.disk, "Cannot \(action): \(systemMessage(number)).")
    }
  }
}

/// What the system calls an error.
///
/// Wraps strerror_r(3).
func systemMessage(_ number: Int32) -> String {
  var buffer = [CChar](repeating: 0, count: 256)
  unsafe strerror_r(number, &buffer, buffer.count)
  let end = buffer.firstIndex(of: 0) ?? buffer.count
  return String(decoding: buffer[..<end].map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
