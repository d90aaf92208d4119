import Glibc

/// A program that a test runs beside itself.
final class Program: Sendable {
  let identifier: pid_t

  /// Starts a program found by `PATH`.
  ///
  /// - Parameters:
  ///   - arguments: the program and its arguments.
  ///   - environment: variables that are set besides the test's own.
  ///   - output: the file its standard output goes to.
  init(_ arguments: [String], environment: [String: String] = [:], output: String = "/dev/null") {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_addopen(
      &actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)

    let settings = environment.map { "\($0.key)=\($0.value)" }
    var words = unsafe (["env"] + settings + arguments).map { unsafe strdup($0) } + [nil]
    defer { unsafe words.forEach { unsafe free($0) } }
    var identifier = pid_t()
    let status = unsafe posix_spawnp(&identifier, "env", &actions, nil, &words, environ)
    precondition(status == 0, "cannot start \(arguments[0])")
    self.identifier = identifier
  }

  /// Waits for the end; the exit status, or less than 0 after a signal.
  @discardableResult
  func wait() -> Int32 {
    var status: Int32 = 0
    while unsafe waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
    return status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
  }

  func end(_ signal: Int32 = SIGKILL) {
    kill(identifier, signal)
    wait()
  }

  /// Runs a program to its end; whether it was content.
  @discardableResult
  static func run(_ arguments: String..., output: String = "/dev/null") -> Bool {
    Program(arguments, output: output).wait() == 0
  }
}

/// A directory that is gone with the value.
final class TemporaryDirectory: Sendable {
  let path: String

  init() {
    var template = Array("/tmp/playback-tests-XXXXXX".utf8CString)
    let made: String? = unsafe template.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress, let path = unsafe mkdtemp(start) else { return nil }
      return unsafe String(cString: path)
    }
    guard let made else { fatalError("no temporary directory") }
    path = made
  }

  deinit { Program.run("rm", "-rf", path) }

  func file(_ name: String) -> String { "\(path)/\(name)" }
}

/// All bytes of a file; none where it cannot be read.
func bytes(of path: String) -> [UInt8] {
  let descriptor = unsafe open(path, O_RDONLY)
  guard descriptor >= 0 else { return [] }
  defer { close(descriptor) }
  let size = Int(lseek(descriptor, 0, SEEK_END))
  return unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
    count = max(0, unsafe pread(descriptor, buffer.baseAddress, size, 0))
  }
}

/// The bytes of a file as 32-bit floats, least significant byte first.
func floats(of path: String) -> [Float] {
  let bytes = bytes(of: path)
  return unsafe [Float](unsafeUninitializedCapacity: bytes.count / 4) { buffer, count in
    unsafe bytes.withUnsafeBytes { source in
      unsafe UnsafeMutableRawBufferPointer(buffer).copyMemory(
        from: UnsafeRawBufferPointer(rebasing: source.prefix(bytes.count / 4 * 4)))
    }
    count = bytes.count / 4
  }
}

func write(_ bytes: some Sequence<UInt8>, to path: String) {
  let bytes = Array(bytes)
  let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
  defer { close(descriptor) }
  let written = unsafe bytes.withUnsafeBytes {
    unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
  }
  precondition(written == bytes.count, "cannot write \(path)")
}

/// Waits until a condition holds, for at most ten seconds; whether it came to hold.
func eventually(_ condition: () async -> Bool) async -> Bool {
  for _ in 0..<2000 {
    if await condition() { return true }
    try? await Task.sleep(for: .milliseconds(5))
  }
  return false
}
