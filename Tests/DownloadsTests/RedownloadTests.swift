import LoopbackServer
@testable import PreviewDownloads
import Testing

/// A finished clip that is fetched anew.
@Suite(.timeLimit(.minutes(1)))
struct RedownloadTests {
  let bench: Bench
  let server: LoopbackServer
  let source: ClipSource

  init() throws {
    bench = try Bench()
    server = try LoopbackServer { Resource(Clips.m4a).answer(to: $0) }
    source = .sample(server.url("/a"))
  }

  @Test func `a redownload keeps the old file until the new one is there`() async throws {
    let gate = Gate()
    let server = try LoopbackServer { request in
      request.ordinal == 0
        ? Resource(Clips.m4a).answer(to: request)
        : Answer(body: Clips.other).paused(after: 200_000, until: gate)
    }
    let source = ClipSource.sample(server.url("/a"))
    let downloader = try await bench.downloader()
    try await bench.finish(source, with: downloader)
    let download = await downloader.redownload(source)
    await download.progress(atLeast: 1)
    #expect(bench.directory.contents(of: ClipSource.sampleName) == Clips.m4a)
    gate.open()
    #expect(await download.settled().clip?.sha256 == Checksum.sha256(Clips.other))
    #expect(bench.directory.contents(of: ClipSource.sampleName) == Clips.other)
    #expect(bench.clips == [ClipSource.sampleName])
    #expect(server.requests.count == 2)
  }

  @Test func `a redownload of what is not here fetches once`() async throws {
    let downloader = try await bench.downloader()
    let download = await downloader.redownload(source)
    #expect(await download.settled().name == .finished)
    #expect(server.requests.count == 1)
  }

  @Test func `a redownload that fails leaves the old clip finished, and can be tried again`()
    async throws
  {
    let server = try LoopbackServer { request in
      switch request.ordinal {
      case 0: Resource(Clips.m4a).answer(to: request)
      case 1: Answer(["ETag": "\"v2\""], body: Clips.other).cut(after: 100_000)
      case 2: Answer(status: 404)
      default: Answer(body: Clips.other)
      }
    }
    let source = ClipSource.sample(server.url("/a"))
    let downloader = try await bench.downloader()
    let old = try await bench.finish(source, with: downloader)
    let download = await downloader.redownload(source)
    #expect(await download.settled().failure?.reason == .gone)
    #expect(bench.directory.contents(of: ClipSource.sampleName) == Clips.m4a)
    let recorded = await downloader.record(of: source.id)?.state.clip
    #expect(recorded?.path == old?.path && recorded?.sha256 == old?.sha256)
    #expect(bench.parts == [])

    download.retry()
    #expect(await download.settled().clip?.byteCount == Clips.other.count)
    #expect(bench.directory.contents(of: ClipSource.sampleName) == Clips.other)
    #expect(bench.clips == [ClipSource.sampleName])
    #expect(server.requests.count == 4)
  }

  @Test(arguments: [true, false])
  func `a redownload that is paused goes on with the new bytes`(isSameProcess: Bool) async throws {
    let gate = Gate()
    let server = try LoopbackServer { request in
      guard request.ordinal > 0 else { return Answer(body: Clips.m4a) }
      let answer = Resource(Clips.other).answer(to: request)
      return request.ordinal == 1 ? answer.paused(after: 200_000, until: gate) : answer
    }
    let source = ClipSource.sample(server.url("/a"))
    let downloader = try await bench.downloader()
    try await bench.finish(source, with: downloader)
    let download = await downloader.redownload(source)
    await download.progress(atLeast: 1)
    download.pause()
    await download.settled()
    gate.open()
    #expect(await downloader.record(of: source.id)?.state.name == .paused)
    let kept = try #require(bench.partSize())
    #expect(bench.directory.contents(of: ClipSource.sampleName) == Clips.m4a)
    if isSameProcess {
      download.resume()
      #expect(await download.settled().name == .finished)
    } else {
      try await bench.finish(source)
    }
    #expect(server.rangeStarts == [nil, nil, kept])
    #expect(bench.directory.contents(of: ClipSource.sampleName) == Clips.other)
    #expect(bench.clips == [ClipSource.sampleName])
  }

  @Test func `a redownload that is cancelled leaves the old clip finished`() async throws {
    let gate = Gate()
    let server = try LoopbackServer { request in
      let answer = Resource(Clips.m4a).answer(to: request)
      return request.ordinal == 1 ? answer.paused(after: 200_000, until: gate) : answer
    }
    let source = ClipSource.plain(server.url("/a"))
    let downloader = try await bench.downloader()
    try await bench.finish(source, with: downloader)
    let download = await downloader.redownload(source)
    await download.progress(atLeast: 1)
    download.cancel()
    await download.settled()
    gate.open()
    #expect(bench.parts == [])
    #expect(await downloader.record(of: source.id)?.state.name == .finished)
    try await bench.finish(source, with: downloader)
    #expect(server.requests.count == 2)
    #expect(bench.clips == ["x.m4a"])
  }
}
