import Glibc

/// Owns an open file or directory; closed with its last reference.
///
/// Wraps open(2) and close(2).
final class FileDescriptor: Sendable {
  let number: Int32

  init(number: Int32) { self.number = number }

  deinit { close(number) }

  /// Opens `name`, seen from `directory` (or from the working directory); nil with `errno` set.
  static func open(
    _ name: String, in directory: FileDescriptor? = nil, _ flags: Int32, mode: mode_t = 0
  ) -> FileDescriptor? {
    let number = unsafe openat(directory?.number ?? AT_FDCWD, name, flags | O_CLOEXEC, mode)
    return number < 0 ? nil : FileDescriptor(number: number)
  }

  /// Wraps fstat(2); nil with `errno` set.
  var status: stat? {
    var status = stat()
    return unsafe fstat(number, &status) == 0 ? status : nil
  }

  /// What lies under `name` in this directory, links not followed.
  ///
  /// Wraps fstatat(2).
  func status(of name: String) -> stat? {
    var status = stat()
    return unsafe fstatat(number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
  }

  /// The size in bytes of the regular file under `name`; nil where there is none.
  func fileSize(of name: String) -> Int? {
    guard let status = status(of: name), status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }

  /// The whole content of the file; nil with `errno` set.
  ///
  /// Wraps pread(2).
  func readAll() -> [UInt8]? {
    guard let size = status.map({ Int($0.st_size) }) else { return nil }
    var count = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, initialized in
      while count < size {
        let got = unsafe pread(
          number, buffer.baseAddress?.advanced(by: count), size - count, off_t(count))
        if got < 0 && errno == EINTR { continue }
        if got == 0 { errno = EIO }  // It was longer a moment ago.
        guard got > 0 else { break }
        count += got
      }
      initialized = count
    }
    return count == size ? bytes : nil
  }
}
