import Glibc

/// A file under a temporary name that takes the place of another once it is complete; until then, and
/// after a failure, that one stays as it was.
struct ReplacementFile: ~Copyable {
  private let path: String
  /// nil where the bytes go straight into what is there, which is no regular file.
  private let temporaryPath: String?
  private let descriptor: Int32

  /// Makes the file beside the one it is to replace; a link to a file is followed, and a device or a pipe is
  /// written to instead.
  ///
  /// Wraps open(2), realpath(3).
  ///
  /// - Throws: `cannotWrite`, as everything here.
  init(for path: String) throws(PlaybackError) {
    var status = stat()
    let isThere = unsafe stat(path, &status) == 0
    if isThere && status.st_mode & S_IFMT != S_IFREG {
      temporaryPath = nil
      self.path = path
      descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw .cannotWrite(path: path, errno: errno) }
      return
    }
    let target = isThere ? Self.realPath(path) : path
    // The name itself may be as long as a name can be.
    let directory = target.utf8.lastIndex(of: UInt8(ascii: "/")).map { target[...$0] } ?? ""
    let temporaryPath =
      "\(directory).preview-\(getpid())-\(UInt32.random(in: 0...UInt32.max)).part"
    self.path = target
    self.temporaryPath = temporaryPath
    descriptor = unsafe open(temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw .cannotWrite(path: path, errno: errno) }
    if isThere { fchmod(descriptor, status.st_mode & 0o777) }
  }

  deinit {
    close(descriptor)
    // There is nothing under that name after it was renamed.
    if let temporaryPath { unsafe unlink(temporaryPath) }
  }

  private static func realPath(_ path: String) -> String {
    guard let real = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }

  /// Wraps write(2).
  func write(_ bytes: RawSpan) throws(PlaybackError) {
    var offset = 0
    while offset < bytes.byteCount {
      let written = unsafe bytes.extracting(offset..<bytes.byteCount).withUnsafeBytes { rest in
        unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
      }
      if written < 0 && errno == EINTR { continue }
      guard written > 0 else { throw .cannotWrite(path: path, errno: errno) }
      offset += written
    }
  }

  /// Puts the complete file in its place.
  ///
  /// Wraps fdatasync(2), rename(2).
  consuming func publish() throws(PlaybackError) {
    guard let temporaryPath else { return }
    guard fdatasync(descriptor) == 0, unsafe rename(temporaryPath, path) == 0 else {
      throw .cannotWrite(path: path, errno: errno)
    }
  }
}
