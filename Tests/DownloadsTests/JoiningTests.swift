import LoopbackServer
@testable import PreviewDownloads
import PreviewThreads
import Testing

/// The same track asked for twice, and many tracks asked for at once.
@Suite(.timeLimit(.minutes(1)))
struct JoiningTests {
  let bench: Bench
  let gate = Gate()

  init() throws { bench = try Bench() }

  func slowServer() throws -> LoopbackServer {
    try LoopbackServer { [gate] request in
      let answer = Resource(Clips.m4a).answer(to: request)
      return request.ordinal == 0 ? answer.paused(after: 200_000, until: gate) : answer
    }
  }

  @Test func `the same track asked for twice joins the download under way`() async throws {
    let server = try slowServer()
    let downloader = try await bench.downloader()
    let first = downloader.download(.sample(server.url("/a")))
    await first.progress(atLeast: 1)
    let second = downloader.download(.sample(server.url("/a")))
    #expect(first === second)
    gate.open()
    #expect(await second.settled().name == .finished)
    #expect(server.requests.count == 1)
  }

  @Test func `another process joins: it waits, shows the progress, and ends alike`() async throws {
    let server = try slowServer()
    let source = ClipSource.sample(server.url("/a"))
    let first = try await bench.downloader().download(source)
    await first.progress(atLeast: 1)
    let other = try await bench.downloader()
    guard case .downloading = await other.record(of: source.id)?.state else {
      Issue.record("the other process does not see that it is downloading")
      return
    }
    let second = other.download(source)
    await second.progress(atLeast: 1)
    #expect(second.state.progress?.expected == Clips.length)
    gate.open()
    let clips = (await first.settled().clip, await second.settled().clip)
    #expect(clips.0 != nil && clips.0?.path == clips.1?.path)
    #expect(clips.0?.sha256 == clips.1?.sha256)
    #expect(server.requests.count == 1)
    #expect(bench.clips == [ClipSource.sampleName])
    #expect(bench.parts == [])
  }

  @Test func `another process goes on when the first one pauses`() async throws {
    let server = try slowServer()
    let source = ClipSource.sample(server.url("/a"))
    let first = try await bench.downloader().download(source)
    await first.progress(atLeast: 1)
    let second = try await bench.downloader().download(source)
    await second.progress(atLeast: 1)
    first.pause()
    let clip = await second.settled().clip
    gate.open()
    #expect(bench.directory.contents(of: ClipSource.sampleName) == Clips.m4a)
    #expect(server.requests.count == 2)
    #expect(server.rangeStarts.last == clip?.resumedFrom)
    first.resume()
    #expect(await first.settled().clip?.path == clip?.path)
    #expect(server.requests.count == 2)
  }

  @Test(arguments: 0..<10)
  func `processes that begin at once fetch once`(round: Int) async throws {
    let server = try LoopbackServer { Resource(Clips.m4a).answer(to: $0) }
    let source =
      round % 2 == 0
      ? ClipSource.sample(server.url("/a")) : ClipSource.plain(server.url("/a"))
    var downloaders: [Downloader] = []
    for _ in 0..<4 { downloaders.append(try await bench.downloader()) }
    let downloads = downloaders.map { $0.download(source) }
    for download in downloads { #expect(await download.settled().name == .finished) }
    #expect(server.requests.count == 1)
    #expect(bench.clips.count == 1)
    #expect(bench.parts == [])
  }

  @Test func `never more than so many at once`() async throws {
    let running = Lock((now: 0, most: 0))
    let server = try LoopbackServer { [gate] request in
      running.withLock {
        $0.now += 1
        $0.most = max($0.most, $0.now)
      }
      let answer = Resource(Clips.m4a).answer(to: request)
      guard case .send(let body) = answer.steps[1] else { return answer }
      // The last byte goes out when the request no longer counts, so that the next one cannot be early.
      return Answer([
        answer.steps[0], .send(Array(body.dropLast())), .wait(gate),
        .run { running.withLock { $0.now -= 1 } }, .send(Array(body.suffix(1))),
      ])
    }
    let downloader = try await bench.downloader { $0.jobs = 3 }
    let downloads = (0..<30).map {
      downloader.download(.sample(server.url("/\($0)"), id: "itunes:\($0)"))
    }
    await server.waitForRequests(3)
    gate.open()
    for download in downloads { #expect(await download.settled().name == .finished) }
    #expect(running.withLock { $0.most } == 3)
    #expect(server.requests.count == 30)
    #expect(bench.clips.count == 30)
  }

  @Test func `a download that is over is not kept`() async throws {
    let server = try LoopbackServer { Resource(Clips.mp3).answer(to: $0) }
    let downloader = try await bench.downloader()
    weak let over: Download?
    do {
      let download = downloader.download(.sample(server.url("/a")))
      await download.settled()
      over = download
    }
    // What runs at the end of the download may still hold it for a moment.
    while over != nil { await Task.yield() }
    #expect(over == nil)
  }

  @Test func `a downloader is not kept by what it has paused`() async throws {
    let server = try slowServer()
    weak let kept: Downloader?
    do {
      let downloader = try await bench.downloader()
      let download = downloader.download(.sample(server.url("/a")))
      await download.progress(atLeast: 1)
      await downloader.pauseAll()
      #expect(downloader.download(download.source) === download)
      await downloader.pauseAll()
      kept = downloader
    }
    gate.open()
    while kept != nil { await Task.yield() }
    #expect(kept == nil)
  }

  @Test func `slots are given in order, and a cancelled wait takes none`() async {
    let slots = JobSlots(count: 1)
    #expect(await slots.acquire())
    let order = Lock<[Int]>([])
    var tasks: [Task<Void, Never>] = []
    for number in 0..<20 {
      tasks.append(
        Task {
          guard await slots.acquire() else { return }
          order.withLock { $0.append(number) }
          slots.release()
        })
      while slots.waitingCount <= number { await Task.yield() }
    }
    for number in stride(from: 0, to: 20, by: 3) { tasks[number].cancel() }
    for number in stride(from: 0, to: 20, by: 3) { await tasks[number].value }
    slots.release()
    for task in tasks { await task.value }
    #expect(order.withLock { $0 } == (0..<20).filter { $0 % 3 != 0 })
    #expect(await slots.acquire())
  }
}
