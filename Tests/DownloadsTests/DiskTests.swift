import Glibc
import LoopbackServer
@testable import PreviewDownloads
import PreviewTransport
import Testing

/// What may be the matter with the media directory and the part files.
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
    let clip = try await bench.finish(source, with: downloader)
    #expect(clip?.path == path + "/" + ClipSource.sampleName)
    #expect(downloader.warning == nil)
  }

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
}
