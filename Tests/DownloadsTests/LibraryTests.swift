import Glibc
import LoopbackServer
@testable import PreviewDownloads
import Testing

/// What may be the matter with the library, and what it holds.
@Suite(.timeLimit(.minutes(1)))
struct LibraryTests {
  let bench: Bench
  let server: LoopbackServer
  let source: ClipSource

  init() throws {
    bench = try Bench()
    server = try LoopbackServer { Resource(Clips.m4a).answer(to: $0) }
    source = .sample(server.url("/a"))
  }

  @Test(arguments: ["missing", "empty", "garbage", "cut", "scribbled"])
  func `a library that was lost is rebuilt from the clips, with a warning`(
    damage: String
  ) async throws {
    let paths = ["", "-wal", "-shm"].map { ".preview/library.sqlite3" + $0 }
    do {
      let first = try await bench.downloader()
      try await bench.finish(source, with: first)
      try await bench.finish(.sample(server.url("/b"), id: "deezer:2"), with: first)
    }
    // The last connection has merged the log: the file is all there is.
    while bench.directory.contents(of: paths[1]) != nil { await Task.yield() }
    var bytes = try #require(bench.directory.contents(of: paths[0]))
    switch damage {
    case "missing": bench.directory.remove(paths[0])
    case "empty": bytes = []
    case "garbage": bytes = Array("no database, but words, and a great many of them\n".utf8)
    case "cut": bytes = Array(bytes.prefix(bytes.count / 2))
    default: for index in bytes.indices.dropFirst(4096) { bytes[index] = 0x5A }
    }
    if damage != "missing" { bench.directory.write(bytes, to: paths[0]) }

    let second = try await bench.downloader()
    #expect(second.warning?.contains("library.sqlite3") == true)
    #expect(try await second.records().map(\.source.id).sorted() == ["deezer:2", "itunes:1"])
    #expect(try await second.records().allSatisfy { $0.state.name == .finished })
    try await bench.finish(source, with: second)
    #expect(server.requests.count == 2)
    let third = try await bench.downloader()
    #expect(third.warning == nil)
  }

  @Test func `a file found by its name alone is read before it counts`() async throws {
    bench.directory.write([1], to: ClipSource.sampleName)
    bench.directory.write(Clips.mp3, to: "A - T [deezer-2].mp3")
    let downloader = try await bench.downloader()
    #expect(downloader.warning != nil)
    try await bench.finish(source, with: downloader)
    #expect(bench.directory.contents(of: ClipSource.sampleName) == Clips.m4a)
    let other = ClipSource(id: "deezer:2", title: "T", artist: "A", url: server.url("/b"))
    #expect(try await bench.finish(other, with: downloader)?.sha256 == Checksum.sha256(Clips.mp3))
    #expect(server.requests.map(\.path) == ["/a"])
    #expect(bench.clips.count == 2)
  }

  @Test func `a new directory has no warning`() async throws {
    #expect(try await bench.downloader().warning == nil)
    #expect(try await bench.downloader().warning == nil)
  }

  @Test func `a library that cannot be opened is kept in memory, with a warning`() async throws {
    _ = try await bench.downloader()
    for name in ["", "-wal", "-shm"] {
      unsafe unlink(bench.directory.path(of: ".preview/library.sqlite3" + name))
    }
    bench.directory.makeDirectory(".preview/library.sqlite3")
    let downloader = try await bench.downloader()
    #expect(downloader.warning?.contains("nothing is recorded") == true)
    try await bench.finish(source, with: downloader)
    #expect(await downloader.record(of: source.id)?.state.name == .finished)
  }

  @Test func `records hold what is known of a clip, in the order of their change`() async throws {
    var full = ClipSource.sample(server.url("/b"), id: "itunes:2")
    full.storeURL = "https://music.example/2"
    full.credit = "provided courtesy of the samples"
    try await bench.finish(source, with: try await bench.downloader { $0.now = { 20 } })
    let downloader = try await bench.downloader { $0.now = { 10 } }
    try await bench.finish(full, with: downloader)
    let records = try await downloader.records()
    #expect(records.map(\.source) == [full, source])
    #expect(records.map(\.updated) == [10, 20])
  }

  @Test func `what a question led to is remembered`() async throws {
    await (try bench.downloader()).remember(question: "small hours", id: "itunes:1")
    let downloader = try await bench.downloader()
    #expect(await downloader.answer(to: "small hours") == "itunes:1")
    #expect(await downloader.answer(to: "other") == nil)
  }
}
