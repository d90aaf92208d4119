import Glibc
import PreviewThreads

/// The bytes of an unfinished download; while it is open, no other process writes them.
///
/// The lock (flock(2)) is on the open file and goes with the process that holds it. Bytes are held
/// back in memory until `openForWriting()`: by then the library says which validator they belong to,
/// so that no crash leaves bytes behind that the record does not speak of. From then on they go to
/// the system at once, so that a killed process loses none.
final class PartFile: Sendable {
  private struct State {
    /// Bytes in the file, without `buffer`.
    var written: Int
    var buffer: [UInt8] = []
    var isOpenForWriting = false
    /// Bytes that were here when the file was opened, and still are.
    var kept: Int
    var failure: DownloadFailure?
  }

  let name: String
  let file: FileDescriptor
  private let state: Lock<State>

  private init(name: String, file: FileDescriptor, size: Int) {
    self.name = name
    self.file = file
    state = Lock(State(written: size, kept: size))
  }

  /// How an attempt to own a part ended.
  enum Claim {
    case owned(PartFile)
    /// Another process writes it, and has so many bytes.
    case taken(received: Int)
  }

  /// Opens or creates the part `name` and locks it, without waiting.
  static func claim(_ name: String, in parts: FileDescriptor) throws(DownloadFailure) -> Claim {
    while true {
      guard
        let file = FileDescriptor.open(name, in: parts, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o666)
      else { throw .disk(errno, "open the part file \(name)") }
      guard let status = file.status, status.st_mode & S_IFMT == S_IFREG else {
        throw DownloadFailure(.disk, "The part file \(name) is no regular file. Remove it.")
      }
      guard flock(file.number, LOCK_EX | LOCK_NB) == 0 else {
        guard errno == EWOULDBLOCK else { throw .disk(errno, "lock the part file \(name)") }
        return .taken(received: Int(status.st_size))
      }
      // Its last owner may have published it, between the opening and the lock.
      if let named = parts.status(of: name), named.st_ino == status.st_ino {
        return .owned(
          PartFile(name: name, file: file, size: file.status.map { Int($0.st_size) } ?? 0))
      }
    }
  }

  /// Bytes that are here, held back ones included.
  var length: Int { state.withLock { $0.written + $0.buffer.count } }

  /// What went wrong while writing.
  var failure: DownloadFailure? { state.withLock { $0.failure } }

  /// Bytes that are here from earlier runs.
  var keptLength: Int { state.withLock { $0.kept } }

  /// Takes the next bytes; false once the disk has refused some.
  func append(_ bytes: Span<UInt8>) -> Bool {
    unsafe bytes.withUnsafeBytes { bytes in
      state.withLock { state in
        if state.failure == nil {
          if state.isOpenForWriting {
            unsafe write(bytes, &state)
          } else {
            unsafe state.buffer.append(contentsOf: bytes)
          }
        }
        return state.failure == nil
      }
    }
  }

  /// Lets the bytes into the file, those held back first.
  func openForWriting() {
    state.withLock { state in
      state.isOpenForWriting = true
      let held = state.buffer
      state.buffer = []
      unsafe held.withUnsafeBytes { unsafe write($0, &state) }
    }
  }

  /// Takes no more bytes.
  func fail(with failure: DownloadFailure) {
    state.withLock { $0.failure = failure }
  }

  /// Drops all bytes; writing is closed again.
  func empty() {
    state.withLock { state in
      if state.written > 0 && ftruncate(file.number, 0) != 0 {
        state.failure = .disk(errno, "empty the part file \(name)")
      }
      state.written = 0
      state.kept = 0
      state.buffer = []
      state.isOpenForWriting = false
    }
  }

  /// Lets others have the part.
  ///
  /// The lock does not wait for the last reference, which the transport may hold a little longer.
  func unlock() {
    flock(file.number, LOCK_UN)
  }

  private func write(_ bytes: UnsafeRawBufferPointer, _ state: inout State) {
    var rest = unsafe bytes[...]
    while unsafe !rest.isEmpty {
      let count = unsafe pwrite(
        file.number, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count,
        off_t(state.written))
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else {
        state.failure = .disk(errno, "write the clip")
        return
      }
      unsafe rest = rest.dropFirst(count)
      state.written += count
    }
  }
}

extension PartFile {
  /// Whether a process has the part open for writing, this one included.
  static func isTaken(_ name: String, in parts: FileDescriptor) -> Bool {
    guard let file = FileDescriptor.open(name, in: parts, O_RDONLY | O_NOFOLLOW) else {
      return false
    }
    return flock(file.number, LOCK_SH | LOCK_NB) != 0
  }
}
