import LoopbackServer
@testable import PreviewDownloads
import Testing

/// Bodies whose end is not told by a length.
@Suite(.timeLimit(.minutes(1)))
struct BodyEndTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  @Test func `416 for a part that is complete ends in success`() async throws {
    // Every byte came, but not the last chunk: only the 416 shows that nothing is missing.
    let server = try LoopbackServer { request in
      request.ordinal == 0
        ? .chunked(Clips.m4a, ["ETag": "\"v1\""], isWhole: false)
        : Resource(Clips.m4a).answer(to: request)
    }
    _ = try await bench.finish(server)
    #expect(server.rangeStarts == [nil, Clips.m4a.count])
  }

  @Test func `chunks without an end are gone on with`() async throws {
    let server = try LoopbackServer { request in
      request.ordinal == 0
        ? .chunked(Array(Clips.m4a.prefix(100_000)), ["ETag": "\"v1\""], isWhole: false)
        : Resource(Clips.m4a).answer(to: request)
    }
    _ = try await bench.finish(server)
    #expect(server.rangeStarts == [nil, 100_000])
  }

  @Test(arguments: NamedClip.both)
  func `a body that ends with the connection is taken if its container is whole`(
    clip: NamedClip
  ) async throws {
    let server = try LoopbackServer { _ in .closeDelimited(clip.bytes) }
    _ = try await bench.finish(server, clip.bytes)
    #expect(server.requests.count == 1)
  }

  @Test(arguments: NamedClip.both)
  func `a body that ends with the connection too early fails`(
    clip: NamedClip
  ) async throws {
    let server = try LoopbackServer { _ in .closeDelimited(Array(clip.bytes.dropLast(40_000))) }
    let state = await (try bench.downloader()).download(.sample(server.url("/a"))).settled()
    #expect(state.failure?.reason == .truncated)
    #expect(bench.clips == [])
  }

  @Test func `an empty body is asked for once more`() async throws {
    let server = try LoopbackServer { request in
      request.ordinal == 0 ? Answer(body: []) : Resource(Clips.m4a).answer(to: request)
    }
    _ = try await bench.finish(server)
    #expect(server.requests.count == 2)
  }
}
