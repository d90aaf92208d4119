import Glibc
import PreviewMedia

/// A regular file, open for reading, as the decoders see it.
struct AudioFile: ~Copyable {
  let path: String
  /// The open file; both decoders may move its offset.
  let descriptor: Int32
  /// Bytes in the file.
  let size: Int

  /// Opens a file.
  ///
  /// Wraps open(2), fstat(2).
  ///
  /// - Throws: `unreadable`; for a directory with EISDIR, for a pipe or device with EINVAL.
  init(path: String) throws(PlaybackError) {
    // Without O_NONBLOCK, opening a named pipe waits for a writer.
    let descriptor = unsafe path.withCString { unsafe open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard descriptor >= 0 else { throw .unreadable(path: path, errno: errno) }
    var status = stat()
    let failure: Int32? =
      if unsafe fstat(descriptor, &status) != 0 {
        errno
      } else if status.st_mode & S_IFMT == S_IFDIR {
        EISDIR
      } else if status.st_mode & S_IFMT != S_IFREG {
        EINVAL
      } else {
        nil
      }
    if let failure {
      close(descriptor)
      throw .unreadable(path: path, errno: failure)
    }
    self.path = path
    self.descriptor = descriptor
    size = status.st_size
  }

  deinit { close(descriptor) }

  /// Up to `count` bytes from `offset` on; fewer only at the end of the file.
  ///
  /// Wraps pread(2).
  func read(_ count: Int, at offset: Int) throws(PlaybackError) -> [UInt8] {
    let wanted = max(0, min(count, size - offset))
    var failure: Int32?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
      filled = 0
      while filled < wanted {
        let got = unsafe pread(
          descriptor, buffer.baseAddress?.advanced(by: filled), wanted - filled,
          offset + filled)
        if got < 0 && errno == EINTR { continue }
        if got < 0 { failure = errno }
        guard got > 0 else { break }
        filled += got
      }
    }
    if let failure { throw .unreadable(path: path, errno: failure) }
    return bytes
  }

  /// How many bytes at the end are all zero, as in a file that was preallocated and not filled.
  func trailingZeroCount() throws(PlaybackError) -> Int {
    var end = size
    while end > 0 {
      let start = max(0, end - 65_536)
      let bytes = try read(end - start, at: start)
      if let last = bytes.lastIndex(where: { $0 != 0 }) { return size - (start + last + 1) }
      end = start
    }
    return size
  }
}

extension AudioFile {
  /// How many bytes a WAV or AIFF file says it has; nil where it does not say.
  ///
  /// libavformat does not tell: it corrects the number to what is there.
  func declaredSize(_ kind: MediaKind?) throws(PlaybackError) -> Int? {
    let header = try read(8, at: 0)
    let length: UInt64? =
      switch kind {
      case .wav: header.span.littleEndian(at: 4, count: 4)
      case .aiff: header.span.bigEndian(at: 4, count: 4)
      default: nil
      }
    // A program that cannot seek back writes one of these.
    guard let length, length > 0, length < UInt32.max else { return nil }
    return Int(length) + 8
  }
}
