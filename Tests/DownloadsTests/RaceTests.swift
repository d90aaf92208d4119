import LoopbackServer
@testable import PreviewDownloads
import Testing

/// Wishes that follow each other faster than they can be carried out.
@Suite(.timeLimit(.minutes(2)))
struct RaceTests {
  /// Numbers that are the same in every run.
  struct Generator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ state >> 29
    }
  }

  /// Whether what is on disk and what is recorded agree with a state in which nothing runs.
  func check(_ state: DownloadState, _ source: ClipSource, _ bench: Bench, _ downloader: Downloader)
    async
  {
    let recorded = await downloader.record(of: source.id)?.state
    switch state {
    case .waiting:
      #expect(bench.clips == [])
      #expect(bench.parts == [])
      #expect(recorded == nil)
    case .paused:
      #expect(bench.clips == [])
      #expect(recorded == nil || recorded?.name == .paused)
    case .finished(let clip):
      #expect(fileContents(clip.path) == Clips.m4a)
      #expect(bench.clips == [ClipSource.sampleName])
      #expect(bench.parts == [])
      #expect(recorded?.clip?.path == clip.path)
    case .failed, .downloading:
      Issue.record("\(state)")
    }
  }

  @Test(arguments: 0..<8)
  func `pause, resume and cancel in any order leave the file whole or absent`(
    seed: UInt64
  ) async throws {
    let bench = try Bench()
    let server = try LoopbackServer { request in
      let answer = Resource(Clips.m4a).answer(to: request)
      return request.ordinal % 3 == 0 ? answer.cut(after: 120_000) : answer
    }
    let source = ClipSource.sample(server.url("/a"))
    let downloader = try await bench.downloader { $0.retries = 1000 }
    var generator = Generator(state: seed)
    for _ in 0..<40 {
      let download = downloader.download(source)
      for _ in 0..<Int.random(in: 1...12, using: &generator) {
        switch Int.random(in: 0..<10, using: &generator) {
        case 0...2: download.pause()
        case 3...5: download.resume()
        case 6: download.cancel()
        case 7: download.start()
        case 8 where download.state.name == .downloading:
          await download.progress(atLeast: Int.random(in: 1...100_000, using: &generator))
        default: for _ in 0..<5 { await Task.yield() }
        }
      }
      await check(await download.settled(), source, bench, downloader)
      download.remove()
      await download.settled()
    }
  }

  @Test func `two holders of one download may contradict each other`() async throws {
    let bench = try Bench()
    let server = try LoopbackServer { Resource(Clips.m4a).answer(to: $0) }
    let source = ClipSource.sample(server.url("/a"))
    let downloader = try await bench.downloader()
    for round in 0..<20 {
      let download = downloader.download(source)
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<4 {
          group.addTask {
            for step in 0..<20 {
              switch (number + step * (round + 1)) % 5 {
              case 0: download.pause()
              case 1: download.resume()
              case 2: download.cancel()
              case 3: download.start()
              default: _ = downloader.download(source)
              }
              await Task.yield()
            }
          }
        }
      }
      await check(await download.settled(), source, bench, downloader)
      let last = downloader.download(source)
      #expect(await last.settled().name == .finished)
      last.remove()
      await last.settled()
    }
  }

  @Test func `pausing all while downloads begin and end loses nothing`() async throws {
    let bench = try Bench()
    let server = try LoopbackServer { Resource(Clips.mp3).answer(to: $0) }
    let sources = (0..<12).map { ClipSource.sample(server.url("/\($0)"), id: "itunes:\($0)") }
    for _ in 0..<6 {
      let downloader = try await bench.downloader { $0.jobs = 3 }
      let downloads = sources.map { downloader.download($0) }
      await downloads[0].progress(atLeast: 1)
      await downloader.pauseAll()
      for download in downloads {
        #expect([.paused, .finished].contains(download.state.name))
      }
      for download in downloads where download.state.name == .finished {
        #expect(download.state.clip.map { fileContents($0.path) == Clips.mp3 } == true)
      }
    }
    let downloader = try await bench.downloader()
    for source in sources {
      #expect(await downloader.download(source).settled().name == .finished)
    }
    #expect(bench.clips.count == 12)
    #expect(bench.parts == [])
  }
}
