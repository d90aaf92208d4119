@testable import PreviewDownloads
import Testing

/// A server that nobody wrote for these tests.
@Suite(
  .enabled(if: NginxServer.isInstalled, "nginx is not installed"), .timeLimit(.minutes(1)))
struct NginxTests {
  @Test(arguments: [
    NamedClip(name: "a.m4a", bytes: Clips.m4a), NamedClip(name: "a.mp3", bytes: Clips.other),
  ])
  func `a download that is paused in the middle goes on in the next process`(
    served: NamedClip
  ) async throws {
    let (name, bytes) = (served.name, served.bytes)
    let bench = try Bench()
    let server = try await NginxServer(serving: [name: bytes])
    let source = ClipSource.sample(server.url("/" + name))
    let first = try await bench.downloader().download(source)
    await first.progress(atLeast: 1)
    first.pause()
    #expect(await first.settled().name == .paused)
    let kept = try #require(bench.partSize())
    #expect(kept > 0 && kept < bytes.count)

    let clip = await (try bench.downloader()).download(source).settled().clip
    #expect(clip.map { fileContents($0.path) == bytes } == true)
    #expect(clip?.resumedFrom == kept)
    // The request that was broken off is logged when nginx comes to it.
    while server.requests("/" + name).count < 2 { await Task.yield() }
    let second = try #require(server.requests("/" + name).first { $0[0] == "206" })
    #expect(second[1] == "bytes=\(kept)-")
    #expect(second[2].hasPrefix("\"") && second[2].hasSuffix("\""))
    #expect(second[3] == String(bytes.count - kept))
    let whole = try #require(server.requests("/" + name).first { $0[0] == "200" })
    #expect(whole[1...2] == ["", ""])
  }

  @Test func `many clips at once arrive as they are`() async throws {
    let bench = try Bench()
    let names = (0..<40).map { "\($0).mp3" }
    let server = try await NginxServer(
      serving: Dictionary(uniqueKeysWithValues: names.map { ($0, Clips.mp3) }))
    let downloader = try await bench.downloader()
    let downloads = names.map {
      downloader.download(.sample(server.url("/" + $0), id: "local:\($0)"))
    }
    for download in downloads { #expect(await download.settled().name == .finished) }
    #expect(bench.clips.count == 40)
    #expect(bench.clips.allSatisfy { bench.directory.contents(of: $0) == Clips.mp3 })
    #expect(bench.parts == [])
  }
}
