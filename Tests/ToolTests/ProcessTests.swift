import Glibc
import LoopbackServer
import PreviewThreads
import Testing

/// The program as a user runs it.
@Suite(.timeLimit(.minutes(2)))
struct ProcessTests {
  static let project = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
  static let clip = bytes(ofFile: project + "/Samples/music/small-hours.m4a") ?? []

  static func stub() throws -> CatalogStub {
    try CatalogStub(songs: [(101, "Sunrise"), (102, "Moonrise")]) { Resource(clip).answer(to: $0) }
  }

  static func tool(_ stub: CatalogStub) -> Tool {
    var tool = Tool()
    tool.environment["PREVIEW_ITUNES_URL"] = stub.server.url("")
    return tool
  }

  @Test(arguments: [
    "The Testers - Sunrise", "itunes:101", "https://music.apple.com/de/album/x/1?i=101",
  ])
  func `download finds the track, fetches its clip and prints the path`(asked: String) async throws
  {
    let stub = try Self.stub()
    let tool = Self.tool(stub)
    defer { tool.cleanUp() }
    let first = try await tool.run("download", asked)
    let path = tool.media + "/The Testers - Sunrise [itunes-101].m4a"
    #expect(first.code == 0, "\(first.errors)")
    #expect(first.lines == [path])
    #expect(first.errors.contains("https://store.example/101"))
    #expect(bytes(ofFile: path)?.elementsEqual(Self.clip) == true)
    let requests = stub.requests.count

    let second = try await tool.run("download", asked)
    #expect(second.code == 0)
    #expect(second.lines == [path])
    #expect(second.errors == "")
    #expect(stub.requests.count == requests)
  }

  @Test func `a URL's clip keeps its name`() async throws {
    let stub = try Self.stub()
    let tool = Self.tool(stub)
    defer { tool.cleanUp() }
    let outcome = try await tool.run(
      "download", stub.server.url("/clips/some.plus.aac.p.m4a?k=secret"))
    #expect(outcome.lines == [tool.media + "/some.plus.aac.p.m4a"])
    #expect(stub.requests.map(\.path) == ["/clips/some.plus.aac.p.m4a"])
  }

  @Test func `killed in the middle, the next run asks for the rest under the validator`()
    async throws
  {
    let gate = Gate()
    let stub = try CatalogStub(songs: [(101, "Sunrise")]) { request in
      let whole = Resource(Self.clip).answer(to: request)
      return request.ordinal == 0 ? whole.paused(after: 100_000, until: gate) : whole
    }
    let tool = Self.tool(stub)
    defer { tool.cleanUp() }
    let running = try tool.start(["download", "itunes:101"])
    let part = tool.media + "/.preview/parts/itunes-101.part"
    try await size(ofFile: part, reaches: 100_000)
    running.kill(SIGKILL)
    #expect(await running.ended().code == 256 + Int(SIGKILL))
    gate.open()
    #expect(try await tool.run("list", "--json").output.contains("\"state\":\"paused\""))

    let outcome = try await tool.run("download", "itunes:101")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(bytes(ofFile: outcome.lines.first ?? "")?.elementsEqual(Self.clip) == true)
    let last = try #require(stub.clipRequests.last)
    #expect(last["range"] == "bytes=100000-")
    #expect(last["if-range"] == "\"v1\"")
  }

  @Test func `a server that cuts at 40 percent three times is outlasted in one run`() async throws {
    let stub = try CatalogStub(songs: [(101, "Sunrise")]) { request in
      let answer = Resource(Self.clip).answer(to: request)
      let rest = Self.clip.count - (request.rangeStart ?? 0)
      return request.ordinal < 3 ? answer.cut(after: rest * 2 / 5) : answer
    }
    let tool = Self.tool(stub)
    defer { tool.cleanUp() }
    let outcome = try await tool.run("download", "itunes:101")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(bytes(ofFile: outcome.lines.first ?? "")?.elementsEqual(Self.clip) == true)
    let starts = stub.clipRequests.map { $0.rangeStart ?? 0 }
    #expect(starts.count == 4)
    #expect(starts == starts.sorted())
    #expect(starts.dropFirst().allSatisfy { $0 > 0 })
  }

  @Test(arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)])
  func `a signal pauses everything`(signal: Int32, code: Int) async throws {
    let stub = try CatalogStub(songs: [(101, "Sunrise"), (102, "Moonrise")]) { request in
      Resource(Self.clip).answer(to: request).cut(after: 50_000, then: .stall)
    }
    let tool = Self.tool(stub)
    defer { tool.cleanUp() }
    let running = try tool.start(["download", "itunes:101", "itunes:102"])
    let parts = [101, 102].map { tool.media + "/.preview/parts/itunes-\($0).part" }
    for part in parts { try await size(ofFile: part, reaches: 50_000) }
    running.kill(signal)
    #expect(await running.ended().code == code)
    let states = try await tool.run("list", "--json").lines
    #expect(states.count == 2)
    #expect(
      states.allSatisfy { $0.contains("\"state\":\"paused\"") && $0.contains("\"received\":50000") }
    )
  }

  @Test func `a signal ends also what waits to be downloaded anew`() async throws {
    let gate = Gate()
    defer { gate.open() }
    let isLater = Lock(false)
    let stub = try CatalogStub(songs: [(101, "Sunrise"), (102, "Moonrise")]) { request in
      let whole = Resource(Self.clip).answer(to: request)
      return isLater.withLock { $0 } ? whole.paused(after: 50_000, until: gate) : whole
    }
    let tool = Self.tool(stub)
    defer { tool.cleanUp() }
    #expect(try await tool.run("download", "itunes:101", "itunes:102").code == 0)
    isLater.withLock { $0 = true }
    let running = try tool.start(["download", "--force", "--jobs", "1", "itunes:101", "itunes:102"])
    try await size(ofFile: tool.media + "/.preview/parts/itunes-101.part", reaches: 50_000)
    running.kill(SIGTERM)
    #expect(await running.ended().code == 143)  // The gate is still closed.
  }

  @Test func `events are JSON objects, the last one with the checksum`() async throws {
    let stub = try Self.stub()
    let tool = Self.tool(stub)
    defer { tool.cleanUp() }
    let lines = try await tool.run("download", "--json", "itunes:101").lines
    #expect(
      lines.first?.hasPrefix(#"{"event":"resolved","asked":"itunes:101","id":"itunes:101""#) == true
    )
    #expect(lines.contains { $0.contains(#""state":"downloading""#) })
    let last = try #require(lines.last)
    #expect(
      last.contains(
        #""state":"finished","path":"\#(tool.media)/The Testers - Sunrise [itunes-101].m4a""#))
    #expect(last.contains(#""bytes":\#(Self.clip.count),"sha256":""#))
    #expect(last.contains(#""resumedFrom":0}"#))
  }

  @Test func `listen writes the samples where it is told to, and asks nothing twice`() async throws
  {
    let stub = try Self.stub()
    let tool = Self.tool(stub)
    defer { tool.cleanUp() }
    let first = try await tool.run("listen", "itunes:101", "--output", tool.folder + "/a.wav")
    #expect(first.code == 0, "\(first.errors)")
    let requests = stub.requests.count
    _ = try await tool.run("listen", "itunes:101", "--output", tool.folder + "/b.wav")
    #expect(stub.requests.count == requests)
    let wave = try #require(bytes(ofFile: tool.folder + "/a.wav"))
    #expect(wave.count > 23 * 44_100 * 4)
    #expect(bytes(ofFile: tool.folder + "/b.wav")?.elementsEqual(wave) == true)
  }

  @Test func `what failed is listed, and retry finishes it`() async throws {
    let stub = try CatalogStub(songs: [(101, "Sunrise")]) { request in
      request.ordinal == 0 ? Answer(status: 404) : Resource(Self.clip).answer(to: request)
    }
    let tool = Self.tool(stub)
    defer { tool.cleanUp() }
    let failed = try await tool.run("download", "itunes:101")
    #expect(failed.code == 1)
    #expect(failed.errors.contains("gone"))
    #expect(try await tool.run("list", "--state", "failed").output.contains("gone"))
    let retried = try await tool.run("retry")
    #expect(retried.code == 0, "\(retried.errors)")
    #expect(bytes(ofFile: retried.lines.first ?? "")?.elementsEqual(Self.clip) == true)
    let again = try await tool.run("retry")
    #expect((again.code, again.output, again.errors) == (0, "", ""))
  }

  @Test func `verify finds a clip that changed on disk, and download mends it`() async throws {
    let stub = try Self.stub()
    let tool = Self.tool(stub)
    defer { tool.cleanUp() }
    let path = try #require(try await tool.run("download", "itunes:101").lines.first)
    #expect(try await tool.run("verify").code == 0)
    let descriptor = unsafe open(path, O_WRONLY)
    _ = unsafe pwrite(descriptor, [UInt8](repeating: 0, count: 5000), 5000, 100_000)
    close(descriptor)
    let verified = try await tool.run("verify")
    #expect(verified.code == 1)
    #expect(verified.lines == [path])
    #expect(try await tool.run("list", "--state", "failed").output.contains("itunes:101"))
    #expect(try await tool.run("download", "itunes:101").code == 0)
    #expect(bytes(ofFile: path)?.elementsEqual(Self.clip) == true)
  }

  @Test(arguments: ["cut", "gone"])
  func `verify finds a clip that is cut or gone, and retry mends it`(fault: String) async throws {
    let stub = try Self.stub()
    let tool = Self.tool(stub)
    defer { tool.cleanUp() }
    let path = try #require(try await tool.run("download", "itunes:101").lines.first)
    _ = unsafe fault == "cut" ? truncate(path, 1000) : unlink(path)
    #expect(try await tool.run("verify").code == 1)
    #expect(try await tool.run("list").output.contains("failed"))
    #expect(try await tool.run("retry").lines == [path])
    #expect(bytes(ofFile: path)?.elementsEqual(Self.clip) == true)

    _ = unsafe unlink(path)
    #expect(try await tool.run("remove", "itunes:101").code == 0)
    #expect(try await tool.run("list").output == "")
  }

  @Test func `an address that died is looked up again in the same run`() async throws {
    let stub = try CatalogStub(songs: [(101, "Sunrise")]) { request in
      request.path == "/clips/101.m4a"
        ? Resource(Self.clip).answer(to: request) : Answer(status: 404)
    }
    let tool = Self.tool(stub)
    defer { tool.cleanUp() }
    // Another catalog server has the same track under an address that does not work.
    let stale = try CatalogStub(songs: [(101, "Sunrise")]) { _ in Answer(status: 404) }
    var early = tool
    early.environment["PREVIEW_ITUNES_URL"] = stale.server.url("")
    #expect(try await early.run("download", "itunes:101").code == 1)
    #expect(try await tool.run("retry").code == 0)
  }

  @Test func `results that cannot be written are an error`() async throws {
    let stub = try Self.stub()
    let tool = Self.tool(stub)
    defer { tool.cleanUp() }
    _ = try await tool.run("download", "itunes:101")
    let script = "'\(Tool.path)' list >/dev/full; echo $?"
    let outcome = try await Tool.launch(
      "/bin/sh", ["-c", script], tool.environment, folder: tool.folder
    ).ended()
    #expect(outcome.lines == ["74"])
    #expect(outcome.errors.contains("No space left"))
  }

  @Test func `the clip itself is no output, and a pipe is written to`() async throws {
    let stub = try Self.stub()
    let tool = Self.tool(stub)
    defer { tool.cleanUp() }
    let path = try #require(try await tool.run("download", "itunes:101").lines.first)
    #expect(try await tool.run("listen", path, "--output", path).code == 64)
    #expect(bytes(ofFile: path)?.elementsEqual(Self.clip) == true)
    let script = "mkfifo f; cat f | wc -c & '\(Tool.path)' listen '\(path)' -o f; wait"
    let outcome = try await Tool.launch(
      "/bin/sh", ["-c", "cd '\(tool.folder)'; \(script)"], tool.environment, folder: tool.folder
    ).ended()
    #expect((Int(outcome.lines.first ?? "") ?? 0) > 23 * 44_100 * 4, "\(outcome.errors)")
  }

  @Test func `where nothing was downloaded there is nothing, and nothing is made`() async throws {
    let tool = Tool()
    defer { tool.cleanUp() }
    let outcome = try await tool.run("list")
    #expect((outcome.code, outcome.output) == (0, ""))
    #expect(outcome.errors.contains("does not exist"))
    #expect(unsafe access(tool.media, F_OK) != 0)
  }

  @Test func `remove deletes a finished clip, cancel what is unfinished`() async throws {
    let stub = try CatalogStub(songs: [(101, "Sunrise"), (102, "Moonrise")]) { request in
      let answer = Resource(Self.clip).answer(to: request)
      return request.path.contains("102") ? answer.cut(after: 9000) : answer
    }
    let tool = Self.tool(stub)
    defer { tool.cleanUp() }
    let outcome = try await tool.run("download", "--retries", "0", "itunes:101", "itunes:102")
    #expect(outcome.code == 1)
    #expect(try await tool.run("remove", "itunes:102").code == 1)
    #expect(try await tool.run("cancel", "itunes:101").code == 1)
    #expect(try await tool.run("remove", "the testers sunrise").code == 0)
    #expect(try await tool.run("cancel", "itunes:102").code == 0)
    #expect(try await tool.run("list").output == "")
    #expect(bytes(ofFile: outcome.lines.first ?? "") == nil)
    #expect(bytes(ofFile: tool.media + "/.preview/parts/itunes-102.part") == nil)
  }

  @Test func `a file that someone put in a clip's place is not deleted`() async throws {
    let stub = try Self.stub()
    let tool = Self.tool(stub)
    defer { tool.cleanUp() }
    let url = stub.server.url("/clips/mine.m4a")
    let path = try #require(try await tool.run("download", url).lines.first)
    write("my own notes", toFile: path)
    #expect(try await tool.run("remove", url).code == 0)
    #expect(text(ofFile: path) == "my own notes")
    #expect(try await tool.run("list").output == "")
  }

  @Test func `a bad link among others stops only itself`() async throws {
    let stub = try Self.stub()
    let tool = Self.tool(stub)
    defer { tool.cleanUp() }
    let bad = "https://music.apple.com/us/artist/x/1"
    let outcome = try await tool.run("download", bad, "itunes:101")
    #expect(outcome.code == 64)
    #expect(outcome.lines.count == 1)
    let path = try #require(outcome.lines.first)
    var deaf = tool
    deaf.environment["PULSE_SERVER"] = "unix:/nowhere"
    let listened = try await deaf.run("listen", bad, path)
    #expect(listened.errors.contains("No sound server"), "\(listened.errors)")
  }

  @Test func `search shows what the catalog has`() async throws {
    let stub = try Self.stub()
    let tool = Self.tool(stub)
    defer { tool.cleanUp() }
    let table = try await tool.run("search", "moonrise")
    #expect(table.lines.count == 2)
    #expect(table.lines[1].hasPrefix("itunes:102  Moonrise"))
    let json = try await tool.run("search", "--json", "moonrise")
    #expect(json.output.contains(#"{"id":"itunes:102","title":"Moonrise","artist":"The Testers""#))
  }
}
