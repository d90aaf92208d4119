import LoopbackServer
@testable import PreviewDownloads
import Testing

/// What becomes of finished clips, and of files that bear their names.
@Suite(.timeLimit(.minutes(1)))
struct FinishedClipTests {
  let bench: Bench
  let server: LoopbackServer
  let source: ClipSource

  init() throws {
    bench = try Bench()
    server = try LoopbackServer { Resource(Clips.m4a).answer(to: $0) }
    source = .sample(server.url("/a"))
  }

  @Test(arguments: [true, false], ["deleted", "truncated"])
  func `a finished clip that the user broke is fetched again`(
    isSameProcess: Bool, damage: String
  ) async throws {
    let first = try await bench.downloader()
    try await bench.finish(source, with: first)
    if damage == "deleted" {
      bench.directory.remove(ClipSource.sampleName)
    } else {
      bench.directory.write(Array(Clips.m4a.prefix(9)), to: ClipSource.sampleName)
    }
    let second = isSameProcess ? first : try await bench.downloader()
    #expect(await second.record(of: source.id)?.state == .waiting)
    try await bench.finish(source, with: second)
    #expect(bench.clips == [ClipSource.sampleName])
    #expect(bench.directory.contents(of: ClipSource.sampleName) == Clips.m4a)
    #expect(server.requests.count == 2)
  }

  @Test func `a clip marked as broken is fetched again and takes its place`() async throws {
    let downloader = try await bench.downloader()
    try await bench.finish(source, with: downloader)
    let failure = DownloadFailure(.truncated, "It does not decode.")
    try await downloader.markBroken(source.id, failure)
    #expect(await downloader.record(of: source.id)?.state.failure == failure)
    try await bench.finish(source, with: downloader)
    #expect(server.requests.count == 2)
    #expect(bench.clips == [ClipSource.sampleName])
    #expect(await downloader.record(of: source.id)?.state.name == .finished)
  }

  @Test func `a foreign file keeps its name`() async throws {
    let downloader = try await bench.downloader()
    bench.directory.write([1], to: ClipSource.sampleName)
    let clip = try await bench.finish(source, with: downloader)
    #expect(bench.clips == ["The Samples - Small Hours (2) [itunes-1].m4a", ClipSource.sampleName])
    #expect(bench.directory.contents(of: ClipSource.sampleName) == [1])
    #expect(clip.map { fileContents($0.path) == Clips.m4a } == true)
  }

  @Test func `a clip of a plain URL keeps the URL's name, and gets its id where it is taken`()
    async throws
  {
    let plain = ClipSource.plain(server.url("/x.m4a"))
    #expect(try await bench.finish(plain)?.path == bench.directory.path(of: "x.m4a"))
    let other = ClipSource(
      id: "url:ba9876543210", title: "x.m4a", artist: "", url: server.url("/y/x.m4a"))
    #expect(
      try await bench.finish(other)?.path == bench.directory.path(of: "x [url-ba9876543210].m4a"))
    try await bench.finish(plain)
    try await bench.finish(other)
    #expect(server.requests.count == 2)
  }

  @Test func `the extension says what the bytes are`() async throws {
    let server = try LoopbackServer { _ in .whole(Clips.mp3, ["Content-Type": "audio/mp4"]) }
    try await bench.finish(.plain(server.url("/x.m4a")))
    #expect(bench.clips == ["x.mp3"])
  }

  @Test(arguments: [true, false])
  func `a process killed between the name and the record is made good`(
    isCatalogTrack: Bool
  ) async throws {
    let source = isCatalogTrack ? source : ClipSource.plain(server.url("/x.m4a"))
    try await bench.leaveKilled(source, part: nil, total: Clips.m4a.count)
    bench.directory.write(Clips.m4a, to: isCatalogTrack ? ClipSource.sampleName : "x.m4a")
    let clip = try await bench.finish(source)
    #expect(server.requests.count == 0)
    #expect(clip?.sha256 == Checksum.sha256(Clips.m4a))
    #expect(bench.clips.count == 1)
    #expect(bench.parts == [])
  }

  @Test func `a file that only looks like the one left behind is not taken for it`() async throws {
    try await bench.leaveKilled(source, part: nil, total: Clips.m4a.count)
    bench.directory.write(Array(Clips.m4a.dropLast(10)), to: ClipSource.sampleName)
    try await bench.finish(source)
    #expect(server.requests.count == 1)
    #expect(bench.clips.count == 2)
  }
}
