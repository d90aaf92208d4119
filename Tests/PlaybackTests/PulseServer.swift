import Glibc
import Testing

/// A sound server of the tests' own, with a sink that nobody hears.
final class PulseServer: Sendable {
  private let directory = TemporaryDirectory()
  private let program: Program

  /// Starts a server and waits until it answers.
  ///
  /// - Throws: where it does not start.
  /// - Parameter hasSink: whether it has a device to play to: 32-bit floats, stereo, 44.1 kHz.
  init(hasSink: Bool = true) async throws {
    let path = directory.path
    // A null sink without norewinds works in blocks of two seconds.
    let sink = "module-null-sink sink_name=null norewinds=1 rate=44100 format=float32le channels=2"
    program = Program(
      [
        "pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--disallow-exit",
        "-L", "module-native-protocol-unix auth-anonymous=1 socket=\(path)/native",
      ] + (hasSink ? ["-L", sink] : []),
      environment: ["XDG_RUNTIME_DIR": path, "HOME": path])
    let address = address
    try #require(await eventually { Program.run("pactl", "-s", address, "info") })
  }

  deinit { program.end() }

  var address: String { "unix:\(directory.path)/native" }

  func kill() { Glibc.kill(program.identifier, SIGKILL) }

  /// Tells the server something, as pactl(1) does.
  func control(_ words: String...) {
    Program(["pactl", "-s", address] + words).wait()
  }

  /// What the server says of itself, by pactl(1).
  func report(_ words: String...) -> String {
    let path = directory.file("report")
    Program(
      ["pactl", "-s", address] + words, environment: ["LC_ALL": "C.UTF-8"], output: path
    ).wait()
    return String(decoding: bytes(of: path), as: UTF8.self)
  }

  /// Ends the stream of the first client, as a desktop's mixer can.
  func killStream() {
    let path = directory.path
    Program(
      ["pacmd", "kill-sink-input", "0"], environment: ["XDG_RUNTIME_DIR": path, "HOME": path]
    ).wait()
  }

  /// Records what the sink plays while `body` runs.
  ///
  /// - Returns: the samples, interleaved stereo, with silence before and after.
  func recording(_ body: () async throws -> Void) async throws -> [Float] {
    let path = directory.file("recording")
    let recorder = Program(
      [
        "parec", "-s", address, "-d", "null.monitor", "--raw", "--format=float32le", "--rate=44100",
        "--channels=2", "--latency-msec=5",
      ], output: path)
    defer { recorder.end() }
    try #require(await eventually { bytes(of: path).count > 0 })
    try await body()
    // What was heard just now is recorded a moment later.
    let count = bytes(of: path).count
    try #require(await eventually { bytes(of: path).count > count + 44_100 * 8 / 2 })
    return floats(of: path)
  }
}
