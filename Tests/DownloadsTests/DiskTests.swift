import Glibc
import LoopbackServer
@testable import PreviewDownloads
import PreviewTransport
import Testing

/// What may be the matter with the directory, its files and its library.
@Suite(.timeLimit(.minutes(1)))
struct DiskTests {
  let bench: Bench
  let server: LoopbackServer
  let source: ClipSource

  init() throws {
    bench = try Bench()
    server = try LoopbackServer { Resource(Clips.m4a).answer(to: $0) }
    source = .sample(server.url("/a"))
  }

  @discardableResult
  func finish(
    _ source: ClipSource, with downloader: Downloader? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> FinishedClip? {
    let fresh = if let downloader { downloader } else { try await bench.downloader() }
    let state = await fresh.download(source).settled()
    #expect(state.name == .finished, "\(state)", sourceLocation: sourceLocation)
    return state.clip
  }

  // MARK: The media directory

  @Test(arguments: ["file", "file/Music", "file/a/b/c"])
  func `a media directory that cannot be one is refused before any request`(
    name: String
  ) async throws {
    bench.directory.write([1, 2, 3], to: "file")
    let error = await #expect(throws: DownloadFailure.self) {
      _ = try await Downloader(
        mediaDirectory: bench.directory.path(of: name), client: bench.client,
        configuration: Downloader.Configuration(bootID: "b"))
    }
    #expect(error?.reason == .disk)
    #expect(error?.message.contains("--media-dir") == true)
    #expect(bench.directory.contents(of: "file") == [1, 2, 3])
  }

  @Test func `a media directory is made with all above it`() async throws {
    let path = bench.directory.path(of: "a/b/Previews")
    let downloader = try await Downloader(
      mediaDirectory: path, client: bench.client,
      configuration: Downloader.Configuration(bootID: "b"))
    let clip = try await finish(source, with: downloader)
    #expect(clip?.path == path + "/" + ClipSource.sampleName)
    #expect(downloader.warning == nil)
  }

  // MARK: Part files

  @Test func `a part that is a link is not followed`() async throws {
    let downloader = try await bench.downloader()
    bench.directory.write([1, 2, 3], to: "precious")
    let part = bench.directory.path(of: ".preview/parts/itunes-1.part")
    #expect(unsafe symlink(bench.directory.path(of: "precious"), part) == 0)
    let state = await downloader.download(source).settled()
    #expect(state.failure?.reason == .disk)
    #expect(state.failure?.message.contains("itunes-1.part") == true)
    #expect(bench.directory.contents(of: "precious") == [1, 2, 3])
    #expect(server.requests.count == 0)
  }

  @Test func `a part that is a directory is left alone`() async throws {
    let downloader = try await bench.downloader()
    bench.directory.makeDirectory(".preview/parts/itunes-1.part")
    let state = await downloader.download(source).settled()
    #expect(state.failure?.reason == .disk)
    #expect(bench.parts == ["itunes-1.part"])
    #expect(server.requests.count == 0)
  }

  @Test func `a part that is a pipe is left alone`() async throws {
    let downloader = try await bench.downloader()
    #expect(unsafe mkfifo(bench.directory.path(of: ".preview/parts/itunes-1.part"), 0o600) == 0)
    let state = await downloader.download(source).settled()
    #expect(state.failure?.reason == .disk)
    #expect(bench.parts == ["itunes-1.part"])
  }

  // MARK: Finished clips

  @Test(arguments: [true, false], ["deleted", "truncated"])
  func `a finished clip that the user broke is fetched again`(
    isSameProcess: Bool, damage: String
  ) async throws {
    let first = try await bench.downloader()
    try await finish(source, with: first)
    if damage == "deleted" {
      bench.directory.remove(ClipSource.sampleName)
    } else {
      bench.directory.write(Array(Clips.m4a.prefix(9)), to: ClipSource.sampleName)
    }
    let second = isSameProcess ? first : try await bench.downloader()
    #expect(await second.record(of: source.id)?.state == .waiting)
    try await finish(source, with: second)
    #expect(bench.clips == [ClipSource.sampleName])
    #expect(bench.directory.contents(of: ClipSource.sampleName) == Clips.m4a)
    #expect(server.requests.count == 2)
  }

  @Test func `a clip marked as broken is fetched again and takes its place`() async throws {
    let downloader = try await bench.downloader()
    try await finish(source, with: downloader)
    let failure = DownloadFailure(.truncated, "It does not decode.")
    try await downloader.markBroken(source.id, failure)
    #expect(await downloader.record(of: source.id)?.state.failure == failure)
    try await finish(source, with: downloader)
    #expect(server.requests.count == 2)
    #expect(bench.clips == [ClipSource.sampleName])
    #expect(await downloader.record(of: source.id)?.state.name == .finished)
  }

  @Test func `a foreign file keeps its name`() async throws {
    let downloader = try await bench.downloader()
    bench.directory.write([1], to: ClipSource.sampleName)
    let clip = try await finish(source, with: downloader)
    #expect(bench.clips == ["The Samples - Small Hours (2) [itunes-1].m4a", ClipSource.sampleName])
    #expect(bench.directory.contents(of: ClipSource.sampleName) == [1])
    #expect(clip.map { fileContents($0.path) == Clips.m4a } == true)
  }

  @Test func `a clip of a plain URL keeps the URL's name, and gets its id where it is taken`()
    async throws
  {
    let plain = ClipSource.plain(server.url("/x.m4a"))
    #expect(try await finish(plain)?.path == bench.directory.path(of: "x.m4a"))
    let other = ClipSource(
      id: "url:ba9876543210", title: "x.m4a", artist: "", url: server.url("/y/x.m4a"))
    #expect(try await finish(other)?.path == bench.directory.path(of: "x [url-ba9876543210].m4a"))
    try await finish(plain)
    try await finish(other)
    #expect(server.requests.count == 2)
  }

  @Test func `the extension says what the bytes are`() async throws {
    let server = try LoopbackServer { _ in .whole(Clips.mp3, ["Content-Type": "audio/mp4"]) }
    try await finish(.plain(server.url("/x.m4a")))
    #expect(bench.clips == ["x.mp3"])
  }

  @Test(arguments: [true, false])
  func `a process killed between the name and the record is made good`(
    isCatalogTrack: Bool
  ) async throws {
    let source = isCatalogTrack ? source : ClipSource.plain(server.url("/x.m4a"))
    try await bench.leaveKilled(source, part: nil, total: Clips.m4a.count)
    bench.directory.write(Clips.m4a, to: isCatalogTrack ? ClipSource.sampleName : "x.m4a")
    let clip = try await finish(source)
    #expect(server.requests.count == 0)
    #expect(clip?.sha256 == Checksum.sha256(Clips.m4a))
    #expect(bench.clips.count == 1)
    #expect(bench.parts == [])
  }

  @Test func `a file that only looks like the one left behind is not taken for it`() async throws {
    try await bench.leaveKilled(source, part: nil, total: Clips.m4a.count)
    bench.directory.write(Array(Clips.m4a.dropLast(10)), to: ClipSource.sampleName)
    try await finish(source)
    #expect(server.requests.count == 1)
    #expect(bench.clips.count == 2)
  }

  // MARK: Redownload

  @Test func `a redownload keeps the old file until the new one is there`() async throws {
    let gate = Gate()
    let server = try LoopbackServer { request in
      request.ordinal == 0
        ? Resource(Clips.m4a).answer(to: request)
        : Answer(body: Clips.other).paused(after: 200_000, until: gate)
    }
    let source = ClipSource.sample(server.url("/a"))
    let downloader = try await bench.downloader()
    try await finish(source, with: downloader)
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
    let old = try await finish(source, with: downloader)
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
    try await finish(source, with: downloader)
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
      try await finish(source)
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
    try await finish(source, with: downloader)
    let download = await downloader.redownload(source)
    await download.progress(atLeast: 1)
    download.cancel()
    await download.settled()
    gate.open()
    #expect(bench.parts == [])
    #expect(await downloader.record(of: source.id)?.state.name == .finished)
    try await finish(source, with: downloader)
    #expect(server.requests.count == 2)
    #expect(bench.clips == ["x.m4a"])
  }

  // MARK: The library

  @Test(arguments: ["missing", "empty", "garbage", "cut", "scribbled"])
  func `a library that was lost is rebuilt from the clips, with a warning`(
    damage: String
  ) async throws {
    let paths = ["", "-wal", "-shm"].map { ".preview/library.sqlite3" + $0 }
    do {
      let first = try await bench.downloader()
      try await finish(source, with: first)
      try await finish(.sample(server.url("/b"), id: "deezer:2"), with: first)
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
    try await finish(source, with: second)
    #expect(server.requests.count == 2)
    let third = try await bench.downloader()
    #expect(third.warning == nil)
  }

  @Test func `a file found by its name alone is read before it counts`() async throws {
    bench.directory.write([1], to: ClipSource.sampleName)
    bench.directory.write(Clips.mp3, to: "A - T [deezer-2].mp3")
    let downloader = try await bench.downloader()
    #expect(downloader.warning != nil)
    try await finish(source, with: downloader)
    #expect(bench.directory.contents(of: ClipSource.sampleName) == Clips.m4a)
    let other = ClipSource(id: "deezer:2", title: "T", artist: "A", url: server.url("/b"))
    #expect(try await finish(other, with: downloader)?.sha256 == Checksum.sha256(Clips.mp3))
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
    try await finish(source, with: downloader)
    #expect(await downloader.record(of: source.id)?.state.name == .finished)
  }

  @Test func `records hold what is known of a clip, in the order of their change`() async throws {
    var full = ClipSource.sample(server.url("/b"), id: "itunes:2")
    full.storeURL = "https://music.example/2"
    full.credit = "provided courtesy of the samples"
    try await finish(source, with: try await bench.downloader { $0.now = { 20 } })
    let downloader = try await bench.downloader { $0.now = { 10 } }
    try await finish(full, with: downloader)
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
