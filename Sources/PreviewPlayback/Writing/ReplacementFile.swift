import Glibc

/// A file under a temporary name that takes the place of another once it is complete; until then, and
/// after a failure, that one stays as it was.
struct ReplacementFile: ~Copyable {
  private let path: String
  private let temporaryPath: String
  private let descriptor: Int32

  /// Makes the file beside the one it is to replace.
  ///
  /// Wraps open(2).
  ///
  /// - Throws: `cannotWrite`, as everything here.
  init(for path: String) throws(PlaybackError) {
    // The name itself may be as long as a name can be.
    let directory = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[...$0] } ?? ""
    let temporaryPath =
      "\(directory).preview-\(getpid())-\(UInt32.random(in: 0...UInt32.max)).part"
    let descriptor = unsafe open(temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw .cannotWrite(path: path, errno: errno) }
    self.path = path
    self.temporaryPath = temporaryPath
    self.descriptor = descriptor
  }

  deinit {
    close(descriptor)
    // There is nothing under that name after it was renamed.
    unsafe unlink(temporaryPath)
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
    guard fdatasync(descriptor) == 0, unsafe rename(temporaryPath, path) == 0 else {
      throw .cannotWrite(path: path, errno: errno)
    }
  }
}
