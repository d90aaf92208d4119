import PreviewThreads
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
