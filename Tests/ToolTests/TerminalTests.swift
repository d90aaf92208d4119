import LoopbackServer
import Testing

/// The program at a real terminal.
@Suite(.timeLimit(.minutes(2)))
struct TerminalTests {
  /// A catalog whose clip stops in the middle, until the gate opens, the first time it is asked for.
  private static func stub(_ gate: Gate) throws -> CatalogStub {
    try CatalogStub(songs: [(101, "Sunrise")]) { request in
      let whole = Resource(ProcessTests.clip).answer(to: request)
      return request.ordinal == 0 ? whole.paused(after: 100_000, until: gate) : whole
    }
  }

  private static func screen(
    _ stub: CatalogStub, _ tool: Tool, columns: Int = 100
  ) async throws -> Screen {
    var environment = tool.environment
    environment["PREVIEW_ITUNES_URL"] = stub.server.url("")
    return try await Screen(
      [Tool.path, "download", "itunes:101"], environment: environment, folder: tool.folder,
      columns: columns)
  }

  private static func isRestored(_ lines: [String]) -> Bool {
    let words = lines.flatMap { $0.split { " ;".contains($0) } }
    return words.contains("icanon") && words.contains("echo")
  }

  @Test func `space pauses and resumes, and the end leaves only the path`() async throws {
    let gate = Gate()
    let (stub, tool) = (try Self.stub(gate), Tool())
    defer { tool.cleanUp() }
    let screen = try await Self.screen(stub, tool)
    try await screen.shows("35 %")
    #expect(try await screen.lines().count == 1)
    try await screen.press("Space")
    try await screen.shows("paused at 35 %")
    gate.open()
    try await screen.press("Space")
    let lines = try await screen.shows("extproc")
    #expect(lines.contains("ended with 0"))
    #expect(lines.first?.contains("[itunes-101].m4a") == true)
    #expect(!lines.contains { $0.contains("%") })
    #expect(Self.isRestored(lines))
    #expect(stub.clipRequests.map { $0.rangeStart ?? 0 } == [0, 100_000])
  }

  @Test(arguments: [("q", 130), ("C-c", 130)])
  func `leaving pauses and gives the terminal back`(key: String, code: Int) async throws {
    let gate = Gate()
    defer { gate.open() }
    let (stub, tool) = (try Self.stub(gate), Tool())
    defer { tool.cleanUp() }
    let screen = try await Self.screen(stub, tool)
    try await screen.shows("35 %")
    try await screen.press(key)
    let lines = try await screen.shows("extproc")
    #expect(lines.contains("ended with \(code)"))
    #expect(Self.isRestored(lines))
    #expect(try await tool.run("list", "--json").output.contains(#""received":100000"#))
  }

  @Test func `c drops what was fetched`() async throws {
    let gate = Gate()
    defer { gate.open() }
    let (stub, tool) = (try Self.stub(gate), Tool())
    defer { tool.cleanUp() }
    let screen = try await Self.screen(stub, tool)
    try await screen.shows("35 %")
    try await screen.press("c")
    #expect(try await screen.shows("extproc").contains("ended with 1"))
    #expect(try await tool.run("list").output == "")
  }

  @Test func `space retries what failed`() async throws {
    let stub = try CatalogStub(songs: [(101, "Sunrise")]) { request in
      request.ordinal == 0
        ? Answer(status: 404) : Resource(ProcessTests.clip).answer(to: request)
    }
    let tool = Tool()
    defer { tool.cleanUp() }
    let screen = try await Self.screen(stub, tool)
    try await screen.shows("space retries")
    try await screen.press("Space")
    #expect(try await screen.shows("extproc").contains("ended with 0"))
  }

  @Test func `c leaves what failed, at once`() async throws {
    let stub = try CatalogStub(songs: [(101, "Sunrise")]) { _ in Answer(status: 404) }
    let tool = Tool()
    defer { tool.cleanUp() }
    let screen = try await Self.screen(stub, tool)
    try await screen.shows("space retries")
    try await screen.press("c")
    #expect(try await screen.shows("extproc").contains("ended with 1"))
    #expect(try await tool.run("list").output == "")
  }

  @Test func `Ctrl-Z stops it, and it goes on in the foreground`() async throws {
    let gate = Gate()
    let (stub, tool) = (try Self.stub(gate), Tool())
    defer { tool.cleanUp() }
    var environment = tool.environment
    environment["PREVIEW_ITUNES_URL"] = stub.server.url("")
    let screen = try await Screen(
      ["/bin/bash", "--norc", "-i", "-c", "set -m; \(Tool.path) download itunes:101; fg"],
      environment: environment, folder: tool.folder)
    try await screen.shows("35 %")
    try await screen.press("C-z")
    gate.open()
    #expect(try await screen.shows("extproc").contains("ended with 0"))
  }

  @Test func `begun in the background, it takes the keys once it is in front`() async throws {
    let gate = Gate()
    defer { gate.open() }
    let (stub, tool) = (try Self.stub(gate), Tool())
    defer { tool.cleanUp() }
    var environment = tool.environment
    environment["PREVIEW_ITUNES_URL"] = stub.server.url("")
    let part = tool.media + "/.preview/parts/itunes-101.part"
    let wait = "until [ -s \"\(part)\" ]; do sleep 0.05; done"
    let screen = try await Screen(
      [
        "/bin/bash", "--norc", "-i", "-c", "set -m; \(Tool.path) download itunes:101 & \(wait); fg",
      ],
      environment: environment, folder: tool.folder)
    try await screen.shows("35 %")
    try await screen.press("q")
    #expect(try await screen.shows("extproc").contains("ended with 130"))
  }

  @Test func `a window of 20 columns shows one line`() async throws {
    let gate = Gate()
    defer { gate.open() }
    let (stub, tool) = (try Self.stub(gate), Tool())
    defer { tool.cleanUp() }
    let screen = try await Self.screen(stub, tool, columns: 20)
    let lines = try await screen.shows("35 %")
    #expect(lines.count == 1)
  }
}
