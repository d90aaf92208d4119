import Glibc
import LoopbackServer
import PreviewTransport
import Testing

/// A real nginx on a free port of the loopback address, ended with its last reference.
final class NginxServer: Sendable {
  static let program = "/usr/sbin/nginx"
  static var isInstalled: Bool { unsafe access(program, X_OK) == 0 }

  private let directory: TemporaryDirectory
  private let process: pid_t
  private let port: UInt16

  /// Starts nginx and waits until it answers.
  ///
  /// A request without a range gets its first 100 kB at once and the rest at 10 kB a second.
  ///
  /// - Parameter files: what it serves, by name.
  /// - Throws: where nginx does not start.
  init(serving files: [String: [UInt8]]) async throws {
    directory = try TemporaryDirectory()
    // Nobody else has the port that was just free.
    port = try LoopbackServer { _ in Answer([.close]) }.port
    directory.makeDirectory("files")
    directory.makeDirectory("temporary")
    for (name, bytes) in files { directory.write(bytes, to: "files/\(name)") }
    directory.write(Array(Self.configuration(directory.path, port).utf8), to: "nginx.conf")
    process = try Self.spawn([
      Self.program, "-p", directory.path, "-e", directory.path(of: "error.log"), "-c",
      directory.path(of: "nginx.conf"),
    ])
    let client = HTTPClient()
    while (try? await client.data(for: HTTPRequest(url: url("/none")))) == nil {
      try #require(waitpid(process, nil, WNOHANG) == 0, "nginx has ended: \(errorLog)")
    }
  }

  deinit {
    kill(process, SIGKILL)
    waitpid(process, nil, 0)
  }

  func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

  /// What was asked for under a path, each once the request is over: status, `Range`, `If-Range`.
  func requests(_ path: String) -> [[String]] {
    String(decoding: directory.contents(of: "access.log") ?? [], as: UTF8.self).split(
      separator: "\n"
    )
    .map { $0.split(separator: "|", omittingEmptySubsequences: false).map(String.init) }
    .filter { $0.first == path }.map { Array($0.dropFirst()) }
  }

  private var errorLog: String {
    String(decoding: directory.contents(of: "error.log") ?? [], as: UTF8.self)
  }

  private static func configuration(_ path: String, _ port: UInt16) -> String {
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map { "\($0)_temp_path \(path)/temporary/\($0);" }.joined(separator: " ")
    return """
      daemon off;
      master_process off;
      pid \(path)/nginx.pid;
      events {}
      http {
        \(temporary)
        log_format asked escape=none '$request_uri|$status|$http_range|$http_if_range|$body_bytes_sent';
        access_log \(path)/access.log asked;
        types { audio/mp4 m4a; audio/mpeg mp3; }
        map $http_range $pace { '' 10k; default 0; }
        server {
          listen 127.0.0.1:\(port);
          root \(path)/files;
          limit_rate $pace;
          limit_rate_after 100k;
        }
      }
      """
  }

  /// Wraps posix_spawn(3); the process has no environment.
  private static func spawn(_ arguments: [String]) throws -> pid_t {
    var words = unsafe arguments.map { unsafe strdup($0) } + [nil]
    defer { unsafe words.forEach { unsafe free($0) } }
    var nothing: [UnsafeMutablePointer<CChar>?] = unsafe [nil]
    var process = pid_t()
    let status = unsafe posix_spawn(&process, arguments[0], nil, nil, &words, &nothing)
    try #require(status == 0, "\(arguments[0]) does not start")
    return process
  }
}
