import Glibc
import PreviewThreads

/// The bytes of an unfinished download; while it is open, no other process writes them.
///
/// The lock (flock(2)) is on the open file and goes with the process that holds it. Writing is held
/// back in memory until `openForWriting()`: by then the library says which validator the bytes
/// belong to, so that no crash leaves bytes behind that the record does not speak of.
final class PartFile: Sendable {
  /// Bytes are handed to the system in runs of about so many.
  private static let bufferSize = 128 << 10

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

  /// Bytes that are here from earlier runs.
  var keptLength: Int { state.withLock { $0.kept } }

  /// Takes the next bytes; false once the disk has refused some.
  func append(_ bytes: Span<UInt8>) -> Bool {
    // Span does not go through a closure; the bytes are copied once, into the buffer.
    let isFull = state.withLock { $0.failure != nil }
    guard !isFull else { return false }
    let copy = unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
    return state.withLock { state in
      state.buffer.append(contentsOf: copy)
      if state.isOpenForWriting && state.buffer.count >= Self.bufferSize { write(&state) }
      return state.failure == nil
    }
  }

  /// Lets the bytes into the file.
  func openForWriting() {
    state.withLock { state in
      state.isOpenForWriting = true
      if state.buffer.count >= Self.bufferSize { write(&state) }
    }
  }

  /// Takes no more bytes.
  func fail(with failure: DownloadFailure) {
    state.withLock { $0.failure = failure }
  }

  /// Hands what is held in memory to the system, as far as writing is open.
  func flush() throws(DownloadFailure) {
    let failure = state.withLock { state in
      if state.isOpenForWriting { write(&state) }
      return state.failure
    }
    if let failure { throw failure }
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

  private func write(_ state: inout State) {
    var offset = 0
    while offset < state.buffer.count && state.failure == nil {
      let count = unsafe state.buffer.withUnsafeBytes { buffer in
        unsafe pwrite(
          file.number, buffer.baseAddress?.advanced(by: offset), buffer.count - offset,
          off_t(state.written))
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else {
        state.failure = .disk(errno, "write the clip")
        break
      }
      offset += count
      state.written += count
    }
    state.buffer = []  // What the disk has refused is fetched again.
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
