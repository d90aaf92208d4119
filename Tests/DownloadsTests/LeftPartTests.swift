import LoopbackServer
@testable import PreviewDownloads
import PreviewTransport
import Testing

/// Parts that an earlier process has left.
@Suite(.timeLimit(.minutes(1)))
struct LeftPartTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  @Test func `a local file is fetched like any other, and gone on with`() async throws {
    let source = ClipSource.sample("file://" + Clips.path("small-hours.m4a"))
    let first = try await bench.downloader()
    let state = await first.download(source).settled()
    #expect(state.name == .finished, "\(state)")
    #expect(bench.directory.contents(of: ClipSource.sampleName) == Clips.m4a)

    // What a killed process leaves: the entity tag is that of the file as it is.
    let answer = try await HTTPClient().data(
      for: HTTPRequest(url: source.url, policy: HTTPRequest.Policy(allowsLocalFile: true)))
    let other = ClipSource.sample(source.url, id: "itunes:2")
    try await bench.leaveKilled(
      other, part: Array(Clips.m4a.prefix(100_000)), total: Clips.m4a.count,
      validator: EntityValidator(of: answer.response))
    let clip = await (try bench.downloader()).download(other).settled().clip
    #expect(clip?.resumedFrom == 100_000)
    #expect(clip.map { fileContents($0.path) == Clips.m4a } == true)
  }

  @Test(arguments: ["<!DOCTYPE html><html>Log in</html>", ""])
  func `a network that wants a login does not cost the bytes`(page: String) async throws {
    let server = try LoopbackServer { request in
      switch request.ordinal {
      case 0: Resource(Clips.m4a).answer(to: request).cut(after: 100_000)
      case 1, 2: Answer(["Content-Type": "text/html"], text: page)
      default: Resource(Clips.m4a).answer(to: request)
      }
    }
    let first = try await bench.downloader().download(.sample(server.url("/a")))
    let state = await first.settled()
    #expect(state.failure?.reason == .notAudio)
    #expect(state.progress == Progress(received: 100_000, expected: Clips.length))
    #expect(bench.partSize() == 100_000)
    // An empty body was asked for twice already.
    if !page.isEmpty {
      let again = try await bench.downloader().download(.sample(server.url("/a")))
      #expect(await again.settled().failure?.reason == .notAudio)
    }
    _ = try await bench.finish(server)
    #expect(server.rangeStarts == [nil, 100_000, 100_000, 100_000])
    #expect(bench.directory.contents(of: ClipSource.sampleName) == Clips.m4a)
  }

  @Test func `a part that another run of the system wrote is not believed`() async throws {
    let server = try LoopbackServer { Resource(Clips.m4a).answer(to: $0) }
    let source = ClipSource.sample(server.url("/a"))
    try await bench.leaveKilled(
      source, part: [UInt8](repeating: 0, count: 5000), total: Clips.m4a.count,
      validator: .entityTag("\"v1\""), bootID: "boot-0")
    #expect(try await bench.finish(server)?.resumedFrom == 0)
    #expect(server.rangeStarts == [nil])
  }

  @Test func `a part without a record is not believed`() async throws {
    let server = try LoopbackServer { Resource(Clips.m4a).answer(to: $0) }
    _ = try await bench.downloader()
    bench.directory.write([UInt8](repeating: 0, count: 5000), to: ".preview/parts/itunes-1.part")
    #expect(try await bench.finish(server)?.resumedFrom == 0)
    #expect(server.rangeStarts == [nil])
  }

  @Test func `a part that is longer than the whole is not believed`() async throws {
    let server = try LoopbackServer { Resource(Clips.m4a).answer(to: $0) }
    try await bench.leaveKilled(
      .sample(server.url("/a")), part: Clips.m4a + [0], total: Clips.m4a.count,
      validator: .entityTag("\"v1\""))
    #expect(try await bench.finish(server)?.resumedFrom == 0)
    #expect(server.rangeStarts == [nil])
  }

  @Test func `a part with every byte is published without a request`() async throws {
    let server = try LoopbackServer { Resource(Clips.m4a).answer(to: $0) }
    try await bench.leaveKilled(
      .sample(server.url("/a")), part: Clips.m4a, total: Clips.m4a.count,
      validator: .entityTag("\"v1\""))
    #expect(try await bench.finish(server)?.resumedFrom == Clips.m4a.count)
    #expect(server.requests.count == 0)
  }
}
