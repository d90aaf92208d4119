import LoopbackServer
@testable import PreviewDownloads
import Testing

/// Cancel drops the bytes.
@Suite(.timeLimit(.minutes(1)))
struct CancelTests {
  let bench: Bench
  /// Holds the first answer back in its middle.
  let gate = Gate()

  init() throws { bench = try Bench() }

  /// Serves a clip; the first answer waits behind 200,000 bytes.
  func slowServer(_ resource: Resource = Resource(Clips.m4a)) throws -> LoopbackServer {
    try LoopbackServer { [gate] request in
      let answer = resource.answer(to: request)
      return request.ordinal == 0 ? answer.paused(after: 200_000, until: gate) : answer
    }
  }

  @Test(arguments: ["running", "paused", "failed"])
  func `cancel drops the bytes`(moment: String) async throws {
    let gate = gate
    let server = try LoopbackServer { request in
      let answer = Resource(Clips.m4a).answer(to: request)
      guard request.ordinal == 0 else { return answer }
      return moment == "failed"
        ? answer.cut(after: 200_000) : answer.paused(after: 200_000, until: gate)
    }
    let source = ClipSource.sample(server.url("/a"))
    let downloader = try await bench.downloader { $0.retries = 0 }
    let download = downloader.download(source)
    await download.progress(atLeast: 1)
    if moment == "paused" { download.pause() }
    if moment != "running" { await download.settled() }
    download.cancel()
    #expect(await download.settled() == .waiting)
    gate.open()
    #expect(bench.parts == [])
    #expect(await downloader.record(of: source.id) == nil)
    #expect(await download.allStates() == [.waiting])

    #expect(await downloader.download(source).settled().name == .finished)
    #expect(server.rangeStarts == [nil, nil])
  }

  @Test func `cancel by the id drops what another process has left`() async throws {
    let source = ClipSource.sample("http://127.0.0.1:1/")
    try await bench.leaveKilled(source, part: Array(Clips.m4a.prefix(1000)))
    let downloader = try await bench.downloader()
    try await downloader.cancel(source.id)
    #expect(bench.parts == [])
    #expect(await downloader.record(of: source.id) == nil)
  }

  @Test func `cancel by the id stops a download of this process`() async throws {
    let server = try slowServer()
    let downloader = try await bench.downloader()
    let download = downloader.download(.sample(server.url("/a")))
    await download.progress(atLeast: 1)
    try await downloader.cancel("itunes:1")
    #expect(download.state == .waiting)
    gate.open()
    #expect(bench.parts == [])
    #expect(try await downloader.records() == [])
  }

  @Test func `cancel by the id leaves alone what another process downloads`() async throws {
    let server = try slowServer()
    let downloader = try await bench.downloader()
    let download = downloader.download(.sample(server.url("/a")))
    await download.progress(atLeast: 1)
    let other = try await bench.downloader()
    await #expect(throws: DownloadFailure.self) { try await other.cancel("itunes:1") }
    gate.open()
    #expect(await download.settled().name == .finished)
  }

  @Test func `cancel by the id leaves a finished clip alone`() async throws {
    let server = try LoopbackServer { Resource(Clips.m4a).answer(to: $0) }
    let downloader = try await bench.downloader()
    let state = await downloader.download(.sample(server.url("/a"))).settled()
    try await downloader.cancel("itunes:1")
    #expect(state.name == .finished)
    #expect(await downloader.record(of: "itunes:1")?.state.name == .finished)
  }
}
