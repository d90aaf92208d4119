/// A terminal of tmux in which a command runs; it ends with the last reference.
final class Screen: Sendable {
  private let name = "preview-test-\(UInt32.random(in: 0...UInt32.max))"
  private let folder: String

  /// Runs `words` in a window of that size; its exit code and the terminal's settings follow.
  init(
    _ words: [String], environment: [String: String], folder: String, columns: Int = 100
  ) async throws {
    self.folder = folder
    let variables = environment.map { "\($0.key)='\($0.value)'" }.joined(separator: " ")
    let command = words.map { "'\($0)'" }.joined(separator: " ")
    let script = "env \(variables) \(command); echo \"ended with $?\"; stty -a; sleep 1000"
    let outcome = try await tmux(
      "-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "30", script)
    guard outcome.code == 0 else { throw NoTerminal(message: outcome.errors) }
  }

  struct NoTerminal: Error { var message: String }

  deinit {
    let arguments = ["-L", name, "kill-server"]
    _ = try? Tool.launch("/usr/bin/tmux", arguments, ["PATH": "/usr/bin:/bin"], folder: folder)
  }

  /// Presses keys, by tmux's names for them.
  func press(_ keys: String...) async throws {
    for key in keys { _ = try await tmux("send-keys", key) }
  }

  /// The lines on the screen that are not empty.
  func lines() async throws -> [String] {
    try await tmux("capture-pane", "-p").lines
  }

  /// Waits until the screen holds a text, and returns its lines.
  @discardableResult
  func shows(_ text: String) async throws -> [String] {
    while true {
      let lines = try await lines()
      if lines.contains(where: { $0.contains(text) }) { return lines }
      try await aMoment()
    }
  }

  private func tmux(_ words: String...) async throws -> Tool.Outcome {
    let environment = ["PATH": "/usr/bin:/bin", "TERM": "xterm-256color", "LANG": "C.UTF-8"]
    return try await Tool.launch(
      "/usr/bin/tmux", ["-u", "-L", name] + words, environment, folder: folder
    ).ended()
  }
}
