import LoopbackServer
@testable import PreviewDownloads
import Testing

/// A download publishes its states as one stream.
@Suite(.timeLimit(.minutes(1)))
struct StateStreamTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  func all(_ stream: AsyncStream<DownloadState>) async -> [DownloadState] {
    var states: [DownloadState] = []
    for await state in stream { states.append(state) }
    return states
  }

  @Test func `a late subscriber first gets the current state`() async {
    var stream = StateStream(current: .waiting)
    stream.publish(.downloading(Progress(received: 1)), isTerminal: false)
    stream.publish(.downloading(Progress(received: 2)), isTerminal: false)
    let late = stream.subscribe()
    stream.publish(.paused(Progress(received: 2)), isTerminal: false)
    stream.publish(.waiting, isTerminal: true)
    #expect(
      await all(late) == [
        .downloading(Progress(received: 2)), .paused(Progress(received: 2)), .waiting,
      ])
  }

  @Test func `equal states do not repeat`() async {
    var stream = StateStream(current: .waiting)
    let states = stream.subscribe()
    for received in [1, 1, 2, 2] {
      stream.publish(.downloading(Progress(received: received)), isTerminal: false)
    }
    stream.publish(.waiting, isTerminal: true)
    #expect(
      await all(states) == [
        .waiting, .downloading(Progress(received: 1)), .downloading(Progress(received: 2)),
        .waiting,
      ])
  }

  @Test func `the stream ends after a terminal state, for late subscribers too`() async {
    var stream = StateStream(current: .waiting)
    let early = stream.subscribe()
    stream.publish(.finished(DownloadMachineTests.clip), isTerminal: true)
    #expect(await all(early) == [.waiting, .finished(DownloadMachineTests.clip)])
    #expect(await all(stream.subscribe()) == [.finished(DownloadMachineTests.clip)])
    stream.publish(.downloading(Progress()), isTerminal: false)
    let again = stream.subscribe()
    stream.publish(.waiting, isTerminal: true)
    #expect(await all(again) == [.downloading(Progress()), .waiting])
  }

  @Test func `progress never runs backward and never exceeds the total`() async throws {
    let server = try LoopbackServer { request in
      let answer = Resource(Clips.m4a).answer(to: request)
      return request.ordinal < 3 ? answer.cut(after: 70_000) : answer
    }
    let states = await (try bench.downloader()).download(.sample(server.url("/a"))).allStates()
    let progress = states.compactMap(\.progress)
    #expect(zip(progress, progress.dropFirst()).allSatisfy { $0.received <= $1.received })
    #expect(progress.allSatisfy { $0.received <= $0.expected ?? .max })
    #expect(progress.last == Progress(received: Clips.m4a.count, expected: Clips.m4a.count))
    #expect(zip(states, states.dropFirst()).allSatisfy { $0 != $1 })
    #expect(states.last?.name == .finished)
  }

  @Test func `a restart is announced as a count from nothing`() async throws {
    var changed = Resource(Clips.other)
    changed.entityTag = "\"v2\""
    let server = try LoopbackServer { [changed] request in
      request.ordinal == 0
        ? Resource(Clips.m4a).answer(to: request).cut(after: 100_000)
        : changed.answer(to: request)
    }
    let states = await (try bench.downloader()).download(.sample(server.url("/a"))).allStates()
    let progress = states.compactMap(\.progress)
    let backward = zip(progress, progress.dropFirst()).filter { $0.received > $1.received }
    #expect(backward.map(\.1) == [Progress(received: 0, expected: Clips.other.count)])
    #expect(backward.map(\.0.received) == [100_000])
    #expect(states.last?.clip?.resumedFrom == 0)
  }

  @Test func `there is no total where the server sends no length`() async throws {
    let server = try LoopbackServer { _ in .chunked(Clips.m4a) }
    let states = await (try bench.downloader()).download(.sample(server.url("/a"))).allStates()
    let progress = states.compactMap(\.progress)
    #expect(progress.allSatisfy { $0.expected == nil })
    #expect(progress.last?.received == Clips.m4a.count)
    #expect(states.last?.clip?.byteCount == Clips.m4a.count)
  }

  @Test func `a queued download that is paused says so`() async throws {
    let gate = Gate()
    let server = try LoopbackServer { request in
      Resource(Clips.m4a).answer(to: request).paused(after: 200_000, until: gate)
    }
    let downloader = try await bench.downloader { $0.jobs = 1 }
    let first = downloader.download(.sample(server.url("/1"), id: "itunes:1"))
    await first.progress(atLeast: 1)
    let second = downloader.download(.sample(server.url("/2"), id: "itunes:2"))
    let states = second.states
    second.pause()
    for await state in states where state.name == .paused { break }
    #expect(await second.settled().name == .paused)
    gate.open()
    #expect(await first.settled().name == .finished)
    #expect(server.requests.map(\.path) == ["/1"])
    second.resume()
    #expect(await second.settled().name == .finished)
  }
}
