import LoopbackServer
@testable import PreviewDownloads
import Testing

/// Servers that never bring a clip to its end, and those that do so slowly.
@Suite(.timeLimit(.minutes(1)))
struct GivingUpTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  @Test func `a server that is always the same fault is given up`() async throws {
    let server = try LoopbackServer { request in
      Resource(Clips.m4a).answer(to: request).cut(after: request.rangeStart == nil ? 1000 : 0)
    }
    let downloader = try await bench.downloader { $0.retries = 4 }
    let state = await downloader.download(.sample(server.url("/a"))).settled()
    #expect(state.failure?.reason == .offline)
    #expect(server.rangeStarts == [nil] + [Int?](repeating: 1000, count: 4))
    #expect(bench.partSize() == 1000)
  }

  @Test func `a server that always cuts and has no validator is given up`() async throws {
    let server = try LoopbackServer { request in
      guard request.ordinal < 50 else { return Answer(status: 404) }
      return Answer(body: Clips.m4a).cut(after: 100_000)
    }
    let downloader = try await bench.downloader { $0.retries = 4 }
    let state = await downloader.download(.sample(server.url("/a"))).settled()
    #expect(state.failure?.reason == .offline)
    #expect(server.requests.count == 5)
  }

  @Test func `a server that always sends empty parts is given up`() async throws {
    let server = try LoopbackServer { request in
      guard request.ordinal < 50 else { return Answer(status: 404) }
      guard let start = request.rangeStart else {
        return Resource(Clips.m4a).answer(to: request).cut(after: 1000)
      }
      return Answer(
        status: 206,
        ["ETag": "\"v1\"", "Content-Range": "bytes \(start)-\(Clips.length - 1)/\(Clips.length)"],
        body: [])
    }
    let downloader = try await bench.downloader { $0.retries = 4 }
    let state = await downloader.download(.sample(server.url("/a"))).settled()
    #expect(state.failure?.reason == .truncated)
    #expect(server.requests.count == 5)
  }

  @Test func `answers that never fit together are given up`() async throws {
    let server = try LoopbackServer { request in
      request.ordinal == 0
        ? Resource(Clips.m4a).answer(to: request).cut(after: 1000)
        : Answer(status: 416, ["Content-Range": "bytes */5"])
    }
    let state = await (try bench.downloader()).download(.sample(server.url("/a"))).settled()
    #expect(state.failure?.reason == .server)
    #expect(server.rangeStarts == [nil, 1000, nil])
  }

  @Test func `a try that brings bytes begins the count of tries anew`() async throws {
    let server = try LoopbackServer { request in
      Resource(Clips.m4a).answer(to: request).cut(after: 20_000)
    }
    let downloader = try await bench.downloader { $0.retries = 1 }
    let state = await downloader.download(.sample(server.url("/a"))).settled()
    #expect(state.name == .finished, "\(state)")
    #expect(server.requests.count == (Clips.m4a.count + 19_999) / 20_000)
  }
}
