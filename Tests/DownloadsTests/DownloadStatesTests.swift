import LoopbackServer
@testable import PreviewDownloads
import PreviewTransport
import Testing

/// What the states promise, sentence by sentence.
@Suite(.timeLimit(.minutes(1)))
struct DownloadStatesTests {
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

  @Test func `pause keeps the bytes and what is needed to go on later`() async throws {
    let server = try slowServer()
    let source = ClipSource.sample(server.url("/a"))
    let first = try await bench.downloader()
    let download = first.download(source)
    await download.progress(atLeast: 1)
    download.pause()
    guard case .paused(let progress) = await download.settled() else {
      Issue.record("\(download.state)")
      return
    }
    gate.open()
    let kept = try #require(bench.partSize())
    #expect(kept > 0 && progress.expected == Clips.m4a.count)
    #expect(
      await first.record(of: source.id)?.state
        == .paused(
          Progress(received: kept, expected: Clips.m4a.count)))
    #expect(bench.clips == [])

    let second = try await bench.downloader()
    #expect(await second.record(of: source.id)?.source == source)
    let clip = await second.download(source).settled().clip
    #expect(server.rangeStarts == [nil, kept])
    #expect(server.requests.last?["if-range"] == "\"v1\"")
    #expect(clip?.resumedFrom == kept)
    #expect(bench.directory.contents(of: ClipSource.sampleName) == Clips.m4a)
  }

  @Test func `resume goes on from the bytes that are here`() async throws {
    let server = try slowServer()
    let download = try await bench.downloader().download(.sample(server.url("/a")))
    await download.progress(atLeast: 1)
    download.pause()
    await download.settled()
    gate.open()
    let kept = try #require(bench.partSize())
    download.resume()
    #expect(await download.settled().name == .finished)
    #expect(server.rangeStarts == [nil, kept])
    #expect(bench.directory.contents(of: ClipSource.sampleName) == Clips.m4a)
  }

  @Test func `a failure keeps its bytes and a reason, and retry goes on from them`() async throws {
    let server = try LoopbackServer { request in
      let answer = Resource(Clips.m4a).answer(to: request)
      return request.ordinal == 0 ? answer.cut(after: 100_000) : answer
    }
    let source = ClipSource.sample(server.url("/a"))
    let first = try await bench.downloader { $0.retries = 0 }
    let state = await first.download(source).settled()
    guard case .failed(let failure, let progress) = state else {
      Issue.record("\(state)")
      return
    }
    #expect(failure.reason == .offline)
    #expect(progress == Progress(received: 100_000, expected: Clips.m4a.count))
    #expect(bench.partSize() == 100_000)

    let second = try await bench.downloader()
    #expect(await second.record(of: source.id)?.state == state)
    let clip = await second.download(source).settled().clip
    #expect(clip?.resumedFrom == 100_000)
    #expect(server.rangeStarts == [nil, 100_000])
    #expect(bench.directory.contents(of: ClipSource.sampleName) == Clips.m4a)
  }

  @Test func `retry in the same process goes on, and the stream opens again`() async throws {
    let server = try LoopbackServer { request in
      let answer = Resource(Clips.m4a).answer(to: request)
      return request.ordinal == 0 ? answer.cut(after: 100_000) : answer
    }
    let downloader = try await bench.downloader { $0.retries = 0 }
    let download = downloader.download(.sample(server.url("/a")))
    #expect(await download.allStates().last?.name == .failed)
    download.retry()
    let states = await download.allStates()
    #expect(states.first?.name == .downloading)
    #expect(states.last?.name == .finished)
    #expect(server.rangeStarts == [nil, 100_000])
  }

  @Test func `a killed download is paused for the next run`() async throws {
    let server = try LoopbackServer { Resource(Clips.m4a).answer(to: $0) }
    let source = ClipSource.sample(server.url("/a"))
    try await bench.leaveKilled(
      source, part: Array(Clips.m4a.prefix(5000)), total: Clips.m4a.count,
      validator: .entityTag("\"v1\""))
    let downloader = try await bench.downloader()
    #expect(
      await downloader.record(of: source.id)?.state
        == .paused(
          Progress(received: 5000, expected: Clips.m4a.count)))
    #expect(await downloader.download(source).settled().clip?.resumedFrom == 5000)
    #expect(server.rangeStarts == [5000])
    #expect(bench.directory.contents(of: ClipSource.sampleName) == Clips.m4a)
  }

  @Test func `finished means complete, sound and in place`() async throws {
    let server = try slowServer()
    let source = ClipSource.sample(server.url("/a"))
    let downloader = try await bench.downloader()
    let download = downloader.download(source)
    await download.progress(atLeast: 1)
    #expect(bench.clips == [])
    gate.open()
    let clip = await download.settled().clip
    let path = bench.directory.path(of: ClipSource.sampleName)
    #expect(
      clip
        == FinishedClip(
          path: path, byteCount: Clips.m4a.count, sha256: Checksum.sha256(Clips.m4a)))
    #expect(fileContents(path) == Clips.m4a)
    #expect(bench.clips == [ClipSource.sampleName])
    #expect(bench.parts == [])
    guard case .finished(let recorded) = await downloader.record(of: source.id)?.state else {
      Issue.record("no record")
      return
    }
    #expect(recorded.path == path && recorded.sha256 == clip?.sha256)
  }

  @Test func `a finished clip is asked for again without a request`() async throws {
    let server = try LoopbackServer { Resource(Clips.mp3).answer(to: $0) }
    let source = ClipSource.sample(server.url("/a"))
    let first = try await bench.downloader()
    #expect(await first.download(source).settled().name == .finished)
    #expect(await first.download(source).settled().name == .finished)
    let second = try await bench.downloader()
    #expect(await second.download(source).settled().clip?.sha256 == Checksum.sha256(Clips.mp3))
    #expect(server.requests.count == 1)
  }

  @Test func `a checksum is SHA-256`() {
    #expect(
      Checksum.sha256(Array("abc".utf8))
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }

  @Test func `remove deletes a finished clip`() async throws {
    let server = try LoopbackServer { Resource(Clips.m4a).answer(to: $0) }
    let source = ClipSource.sample(server.url("/a"))
    let downloader = try await bench.downloader()
    let download = downloader.download(source)
    await download.settled()
    download.remove()
    #expect(await download.settled() == .waiting)
    #expect(bench.clips == [])
    #expect(try await downloader.records() == [])
    #expect(await downloader.download(source).settled().name == .finished)
    try await downloader.remove(source.id)
    #expect(bench.clips == [])
    #expect(await downloader.download(source).settled().name == .finished)
    #expect(server.requests.count == 3)
  }

  @Test func `what makes no sense in a state changes nothing`() async throws {
    let server = try slowServer()
    let download = try await bench.downloader().download(.sample(server.url("/a")))
    await download.progress(atLeast: 1)
    download.remove()
    download.retry()
    download.redownload()
    download.resume()
    gate.open()
    #expect(await download.settled().name == .finished)
    download.pause()
    download.cancel()
    download.resume()
    #expect(await download.settled().name == .finished)
    #expect(server.requests.count == 1)
    #expect(bench.clips == [ClipSource.sampleName])
  }

  @Test func `a transport that shuts down leaves the download paused`() async throws {
    let server = try slowServer()
    let download = try await bench.downloader().download(.sample(server.url("/a")))
    await download.progress(atLeast: 1)
    bench.client.shutDown()
    #expect(await download.settled().name == .paused)
    gate.open()
    #expect(bench.partSize() ?? 0 > 0)
  }

  @Test func `pauseAll stops everything, and the next process goes on`() async throws {
    let gate = gate
    let server = try LoopbackServer { request in
      let answer = Resource(Clips.m4a).answer(to: request)
      return request.rangeStart == nil ? answer.paused(after: 200_000, until: gate) : answer
    }
    let sources = (1...4).map { ClipSource.sample(server.url("/\($0)"), id: "itunes:\($0)") }
    let first = try await bench.downloader { $0.jobs = 2 }
    let downloads = sources.map { first.download($0) }
    await downloads[0].progress(atLeast: 1)
    await downloads[1].progress(atLeast: 1)
    await first.pauseAll()
    gate.open()
    #expect(downloads.map(\.state.name) == [.paused, .paused, .paused, .paused])
    #expect(server.requests.count == 2)

    let second = try await bench.downloader()
    for source in sources {
      #expect(await second.download(source).settled().name == .finished)
    }
    let ranges = server.requests.dropFirst(2).map { $0.rangeStart ?? 0 > 0 }
    #expect(ranges == [true, true, false, false])
    #expect(bench.clips.allSatisfy { bench.directory.contents(of: $0) == Clips.m4a })
    #expect(bench.clips.count == 4)
  }
}
