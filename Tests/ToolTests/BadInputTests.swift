import Glibc
import LoopbackServer
import Testing

/// Whatever is wrong ends with its exit code and a sentence that says what to do.
@Suite(.timeLimit(.minutes(1)))
struct BadInputTests {
  struct Row: CustomTestStringConvertible {
    var words: [String]
    var code: Int
    /// Part of what is said.
    var says: String
    var environment: [String: String] = [:]
    var testDescription: String { words.joined(separator: " ") }
  }

  static let music = ProcessTests.project + "/Samples/music/doorbell-waltz.mp3"

  static let rows: [Row] = [
    Row(words: ["download"], code: 64, says: "TRACK... is missing"),
    Row(words: ["downlaod", "x"], code: 64, says: "did you mean 'download'?"),
    Row(words: ["download", "--bogus", "x"], code: 64, says: "Try 'preview download --help'."),
    Row(words: ["download", "itunes:abc"], code: 64, says: "itunes:abc"),
    Row(words: ["download", ""], code: 64, says: "No track was named"),
    Row(words: ["download", "itunes:404"], code: 1, says: "no-match"),
    Row(words: ["download", "The Testers - Silence"], code: 1, says: "no-match"),
    Row(
      words: ["download", "local:1"], code: 1, says: "no-preview",
      environment: ["PREVIEW_CATALOG": "catalog.json"]),
    Row(words: ["download", "x", "--catalog", "/nowhere.json"], code: 66, says: "/nowhere.json"),
    Row(words: ["download", "x", "--catalog", "/etc"], code: 66, says: "/etc"),
    Row(words: ["download", "x", "--catalog", "/etc/passwd"], code: 66, says: "/etc/passwd"),
    Row(
      words: ["download", "x"], code: 69, says: "network",
      environment: ["PREVIEW_ITUNES_URL": "http://127.0.0.1:1"]),
    Row(words: ["download", "itunes:7"], code: 1, says: "not-audio"),
    Row(
      words: ["download", "itunes:101", "--media-dir", "/dev/null/x"], code: 74, says: "--media-dir"
    ),
    Row(words: ["download", "itunes:101", "--media-dir", "/proc/x"], code: 74, says: "Cannot"),
    Row(words: ["listen", "/nowhere.m4a"], code: 66, says: "/nowhere.m4a"),
    Row(words: ["listen", "/etc/passwd"], code: 1, says: "not an audio file"),
    Row(
      words: ["listen", music], code: 69, says: "No sound server",
      environment: ["PULSE_SERVER": "unix:/nowhere"]),
    Row(
      words: ["listen", "a", "b", "--output", "x.wav"], code: 64, says: "--output takes one track"),
    Row(words: ["listen", music, "--output", "/nowhere/x.wav"], code: 74, says: "/nowhere/x.wav"),
    Row(words: ["cancel", "itunes:5"], code: 1, says: "does not exist"),
    Row(words: ["remove", "itunes:5"], code: 1, says: "does not exist"),
    Row(words: ["list", "--state", "odd"], code: 64, says: "'odd' makes no sense"),
    Row(words: ["search", "nothing at all"], code: 1, says: "Nothing"),
    Row(words: ["verify", "/etc/passwd"], code: 1, says: "not an audio file"),
  ]

  @Test(arguments: rows) func `bad input is answered`(row: Row) async throws {
    let stub = try CatalogStub(songs: [(101, "Sunrise"), (7, "Web Page")]) { request in
      request.path.contains("/7.")
        ? Answer(["Content-Type": "audio/mp4"], text: "<!DOCTYPE html><html><title>Log in</title>")
        : Resource(ProcessTests.clip).answer(to: request)
    }
    var tool = ProcessTests.tool(stub)
    defer { tool.cleanUp() }
    tool.environment.merge(row.environment) { $1 }
    let catalog =
      #"{"resultCount":1,"results":[{"kind":"song","trackId":1,"trackName":"A","artistName":"B"}]}"#
    if row.environment["PREVIEW_CATALOG"] != nil {
      tool.environment["PREVIEW_CATALOG"] = tool.folder + "/catalog.json"
      write(catalog, toFile: tool.folder + "/catalog.json")
    }
    let outcome = try await tool.start(row.words).ended()
    #expect(outcome.code == row.code, "\(outcome.errors)")
    #expect(outcome.errors.contains(row.says), "\(outcome.errors)")
  }

  @Test func `help and version go to standard output`() async throws {
    let tool = Tool()
    defer { tool.cleanUp() }
    let version = try await tool.run("--version")
    #expect((version.code, version.errors) == (0, ""))
    #expect(version.output.hasPrefix("preview "))
    let help = try await tool.run("--help")
    #expect((help.code, help.errors) == (0, ""))
    #expect(help.output.contains("speak against downloading and caching"))
  }

  @Test func `no library that a command may not need is linked`() async throws {
    let linked = try await Tool.launch(
      "/usr/bin/ldd", [Tool.path], ["PATH": "/usr/bin:/bin"], folder: "/tmp"
    ).ended()
    #expect(linked.code == 0)
    for library in ["libav", "libcurl", "libpulse", "libswresample", "libcrypto"] {
      #expect(!linked.output.contains(library), "\(linked.output)")
    }
  }
}
