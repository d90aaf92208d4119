import Glibc
import PreviewThreads

/// Runs the built program as a process of its own, in an environment of the test's making.
struct Tool {
  struct Outcome {
    /// The exit code, or 256 and the number of the signal that killed it.
    var code: Int
    var output: String
    var errors: String
    var lines: [String] { output.split(separator: "\n").map { String($0) } }
  }

  /// A process under way.
  final class Running: Sendable {
    let id: pid_t
    fileprivate let output: String
    fileprivate let errors: String

    fileprivate init(id: pid_t, output: String, errors: String) {
      self.id = id
      self.output = output
      self.errors = errors
    }

    func kill(_ signal: Int32) { Glibc.kill(id, signal) }

    /// Waits for its end, on a thread of its own.
    func ended() async -> Outcome {
      let id = id
      let status = await BlockingThreads().run { () -> Int32 in
        var status: Int32 = 0
        while unsafe waitpid(id, &status, 0) < 0 && errno == EINTR {}
        return status
      }
      let signal = Int(status & 0x7F)
      return Outcome(
        code: signal == 0 ? Int(status >> 8 & 0xFF) : 256 + signal,
        output: text(ofFile: output), errors: text(ofFile: errors))
    }
  }

  /// The program, beside the test's own.
  static let path: String = {
    var buffer = [CChar](repeating: 0, count: 4096)
    unsafe readlink("/proc/self/exe", &buffer, buffer.count - 1)
    let own = string(buffer)
    let here = own.split(separator: "/").dropLast().map { "/" + $0 }.joined()
    if unsafe access(here + "/preview", X_OK) == 0 { return here + "/preview" }
    // Swift Testing may be run by a program of the toolchain: the bundle is named in its arguments.
    for word in CommandLine.arguments where word.contains("/preview") && word.hasSuffix(".xctest") {
      return word.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/preview"
    }
    return here + "/preview"
  }()

  /// A directory that is this test's alone.
  let folder: String
  var environment: [String: String]

  init() {
    var template = Array("/tmp/preview-tool-XXXXXX".utf8CString)
    _ = unsafe mkdtemp(&template)
    folder = string(template)
    environment = [
      "PATH": "/usr/bin:/bin", "HOME": folder, "PREVIEW_MEDIA_DIR": folder + "/media",
      // A test that forgets to name its catalog reaches nobody.
      "PREVIEW_ITUNES_URL": "http://127.0.0.1:1",
    ]
  }

  var media: String { folder + "/media" }

  /// Removes the directory and what is in it.
  func cleanUp() {
    _ = try? Tool.launch("/bin/rm", ["-rf", folder], [:], folder: "/tmp")
  }

  func run(_ words: String...) async throws -> Outcome {
    try await start(words).ended()
  }

  func start(_ words: [String]) throws -> Running {
    try Tool.launch(Tool.path, words, environment, folder: folder)
  }

  struct CannotStart: Error { var number: Int32 }

  static func launch(
    _ program: String, _ words: [String], _ environment: [String: String], folder: String
  ) throws -> Running {
    let number = UInt32.random(in: 0...UInt32.max)
    let (output, errors) = ("\(folder)/.out-\(number)", "\(folder)/.err-\(number)")
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT, 0o600)
    unsafe posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT, 0o600)
    // The program starts with no signal blocked, as from a shell.
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    unsafe sigemptyset(&none)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

    var arguments = unsafe ([program] + words).map { unsafe strdup($0) } + [nil]
    var variables = unsafe environment.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
    defer { unsafe (arguments + variables).forEach { unsafe free($0) } }
    var id: pid_t = 0
    let status = unsafe posix_spawn(&id, program, &actions, &attributes, &arguments, &variables)
    guard status == 0 else { throw CannotStart(number: status) }
    return Running(id: id, output: output, errors: errors)
  }
}

private func string(_ buffer: [CChar]) -> String {
  String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

func bytes(ofFile path: String) -> [UInt8]? {
  let descriptor = unsafe open(path, O_RDONLY)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  var result: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 1 << 20)
  while true {
    let count = unsafe read(descriptor, &chunk, chunk.count)
    guard count > 0 else { return result }
    result += chunk[..<count]
  }
}

func text(ofFile path: String) -> String {
  String(decoding: bytes(ofFile: path) ?? [], as: UTF8.self)
}

func write(_ text: String, toFile path: String) {
  let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
  _ = unsafe Glibc.write(descriptor, text, text.utf8.count)
  close(descriptor)
}

/// Waits until a file that another process writes has so many bytes.
func size(ofFile path: String, reaches count: Int) async throws {
  var status = stat()
  while unsafe stat(path, &status) != 0 || status.st_size < count { try await aMoment() }
}

/// Between two looks at another process; ends with the test's time limit.
func aMoment() async throws {
  try Task.checkCancellation()
  await BlockingThreads().run { _ = usleep(2000) }
}
