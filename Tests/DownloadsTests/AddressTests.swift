import Glibc
import LoopbackServer
import Testing

@testable import PreviewDownloads

/// Clips whose address dies, or is not known any more.
@Suite(.timeLimit(.minutes(1)))
struct AddressTests {
  @Test(arguments: [403, 404, 410])
  func `an address that has died is looked up once, and the bytes here count`(
    status: Int
  ) async throws {
    let bench = try Bench()
    let half = Clips.m4a.count / 2
    let server = try LoopbackServer { request in
      switch request.path {
      case "/old" where request.ordinal == 0:
        Resource(Clips.m4a).answer(to: request).cut(after: half)
      case "/old": Answer(status: status)
      default: Resource(Clips.m4a).answer(to: request)
      }
    }
    let downloader = try await bench.downloader {
      $0.lookUpAgain = { source in
        var found = source
        found.url = server.url("/new")
        return found
      }
    }
    let download = downloader.download(.sample(server.url("/old")))
    #expect(await download.settled().name == .finished)
    #expect(server.requests.map(\.path) == ["/old", "/old", "/new"])
    #expect(server.requests.last?.rangeStart == half)
    #expect(await downloader.record(of: download.source.id)?.source.url == server.url("/new"))
  }

  @Test func `an address that stays dead is asked for once`() async throws {
    let bench = try Bench()
    let server = try LoopbackServer { _ in Answer(status: 404) }
    let downloader = try await bench.downloader { $0.lookUpAgain = { $0 } }
    let state = await downloader.download(.sample(server.url("/a"))).settled()
    guard case .failed(let failure, _) = state else {
      Issue.record("\(state)")
      return
    }
    #expect(failure.reason == .gone)
    #expect(server.requests.count == 1)
  }

  @Test func `a clip without an address says how to get it`() async throws {
    let bench = try Bench()
    let downloader = try await bench.downloader()
    let state = await downloader.download(.sample("")).settled()
    guard case .failed(let failure, _) = state else {
      Issue.record("\(state)")
      return
    }
    #expect(failure.message.contains("preview download itunes:"))
  }

  @Test func `a length beside chunks is not waited for`() async throws {
    let bench = try Bench()
    let server = try LoopbackServer { _ in
      let body = Clips.m4a
      let head =
        "HTTP/1.1 200 OK\r\nContent-Length: \(body.count * 2)\r\nTransfer-Encoding: chunked\r\n\r\n"
      let size = String(body.count, radix: 16)
      return Answer([
        .send(Array("\(head)\(size)\r\n".utf8)), .send(body), .send(Array("\r\n0\r\n\r\n".utf8)),
      ])
    }
    let downloader = try await bench.downloader()
    #expect(await downloader.download(.sample(server.url("/a"))).settled().name == .finished)
    #expect(server.requests.count == 1)
  }

  @Test func `a server that gives a byte at a time is given up`() async throws {
    let bench = try Bench()
    let server = try LoopbackServer { request in
      Resource(Clips.m4a).answer(to: request).cut(after: 1)
    }
    let downloader = try await bench.downloader()
    let state = await downloader.download(.sample(server.url("/a"))).settled()
    #expect(state.name == .failed)
    #expect(server.requests.count == 6)
  }

  @Test func `what took the place of a part is never published`() async throws {
    let bench = try Bench()
    let gate = Gate()
    let server = try LoopbackServer { request in
      Resource(Clips.m4a).answer(to: request).paused(after: 50_000, until: gate)
    }
    let downloader = try await bench.downloader()
    let download = downloader.download(.sample(server.url("/a")))
    let part = bench.directory.path(of: ".preview/parts/\(download.source.fileID).part")
    for await state in download.states where state.progress?.received ?? 0 > 0 { break }
    #expect(unsafe unlink(part) == 0)
    #expect(unsafe symlink("/etc/passwd", part) == 0)
    gate.open()
    #expect(await download.settled().name == .failed)
    #expect(bench.clips == [])
  }
}
