import LoopbackServer
@testable import PreviewDownloads
import PreviewTransport
import PreviewThreads
import Testing

/// A media directory of a test's own, and what it takes to download into it.
final class Bench: Sendable {
  let directory: TemporaryDirectory
  let client: HTTPClient
  /// Seconds of every wait between tries.
  private let recordedWaits = Lock<[Double]>([])

  init(client: HTTPClient = HTTPClient()) throws {
    directory = try TemporaryDirectory()
    self.client = client
  }

  var waits: [Double] { recordedWaits.withLock { $0 } }

  /// A downloader that never waits: each one is like a process of its own.
  func downloader(
    _ change: (inout Downloader.Configuration) -> Void = { _ in }
  ) async throws -> Downloader {
    var configuration = Downloader.Configuration(bootID: "boot-1")
    configuration.sleep = { [self] duration in
      recordedWaits.withLock { $0.append(duration / .seconds(1)) }
      await Task.yield()
    }
    configuration.random = { _ in 0 }
    configuration.now = { 1_000_000_000 }
    change(&configuration)
    return try await Downloader(
      mediaDirectory: directory.path, client: client, configuration: configuration)
  }

  /// The names of the finished clips, foreign files included.
  var clips: [String] { directory.names() }

  /// The names of the part files.
  var parts: [String] { directory.names(in: ".preview/parts") }

  /// Bytes in the part of a clip; nil where there is none.
  func partSize(_ source: ClipSource = .sample("")) -> Int? {
    directory.contents(of: ".preview/parts/\(source.fileID).part")?.count
  }

  /// Leaves what a process leaves that was killed in the middle of a download.
  func leaveKilled(
    _ source: ClipSource, part: [UInt8]?, total: Int? = nil, validator: EntityValidator? = nil,
    name: String? = nil, bootID: String = "boot-1"
  ) async throws {
    _ = try await downloader()  // Makes the directories.
    let library = try MediaLibrary.open(
      path: directory.path(of: ".preview/library.sqlite3"), now: { 1 }, moveAside: { _ in nil }
    ).library
    try await library.save(
      StoredClip(
        source: source, state: .downloading, name: name, total: total, validator: validator,
        bootID: bootID, updated: 1))
    if let part { directory.write(part, to: ".preview/parts/\(source.fileID).part") }
  }
}

extension ClipSource {
  /// A track of a catalog, for a URL.
  static func sample(_ url: String, id: String = "itunes:1") -> ClipSource {
    ClipSource(id: id, title: "Small Hours", artist: "The Samples", url: url)
  }

  /// A clip known by its URL alone.
  static func plain(_ url: String, name: String = "x.m4a") -> ClipSource {
    ClipSource(id: "url:0123456789ab", title: name, artist: "", url: url)
  }

  /// The name `sample` gets.
  static let sampleName = "The Samples - Small Hours [itunes-1].m4a"
}

/// A clip as the argument of a test, whose bytes are not for the log.
struct NamedClip: Sendable, CustomTestStringConvertible {
  var name: String
  var bytes: [UInt8]
  var testDescription: String { name }

  static let both = [
    NamedClip(name: "a.m4a", bytes: Clips.m4a), NamedClip(name: "a.mp3", bytes: Clips.mp3),
  ]
}

/// The project's own music, as servers send it.
enum Clips {
  static let m4a = sample("small-hours.m4a")
  /// Bytes of `m4a`.
  static let length = m4a.count
  static let other = sample("tidewater.m4a")
  static let mp3 = sample("doorbell-waltz.mp3")

  /// The path of a file in the samples' folder.
  static func path(_ name: String) -> String {
    #filePath.split(separator: "/").dropLast(4).map { "/" + $0 }.joined() + "/Samples/music/" + name
  }

  private static func sample(_ name: String) -> [UInt8] {
    guard let bytes = fileContents(path(name)), !bytes.isEmpty else {
      preconditionFailure("the sample \(name) is not there")
    }
    return bytes
  }
}

extension Download {
  /// Waits until so many bytes are here, or the stream of states ends.
  func progress(atLeast count: Int) async {
    for await state in states where state.progress?.received ?? 0 >= count { return }
  }

  /// Every state until the stream ends.
  func allStates() async -> [DownloadState] {
    var all: [DownloadState] = []
    for await state in states { all.append(state) }
    return all
  }
}

extension DownloadState {
  var clip: FinishedClip? { if case .finished(let clip) = self { clip } else { nil } }

  var failure: DownloadFailure? {
    if case .failed(let failure, _) = self { failure } else { nil }
  }
}

extension LoopbackServer {
  /// The first bytes asked for, request by request; nil for a whole.
  var rangeStarts: [Int?] { requests.map(\.rangeStart) }
}

extension Answer {
  /// The same answer with other or more header fields.
  static func whole(_ bytes: [UInt8], _ headers: [String: String] = [:]) -> Answer {
    Answer(["Content-Type": "audio/mp4"].merging(headers) { $1 }, body: bytes)
  }

  /// Chunked, without the last chunk unless `isWhole`.
  static func chunked(
    _ bytes: [UInt8], _ headers: [String: String] = [:], isWhole: Bool = true
  ) -> Answer {
    let head = Answer.head(
      status: 200, ["Transfer-Encoding": "chunked"].merging(headers) { $1 })
    let chunk = Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [13, 10]
    let end = Array("0\r\n\r\n".utf8)
    return isWhole
      ? Answer([.send(head), .send(chunk + end)]) : Answer([.send(head), .send(chunk), .close])
  }

  /// Without a length: the end of the connection is the end of the body.
  static func closeDelimited(_ bytes: [UInt8], _ headers: [String: String] = [:]) -> Answer {
    Answer([.send(Answer.head(status: 200, headers)), .send(bytes), .close])
  }
}

extension Bench {
  /// Downloads a clip, by a downloader of its own unless one is given, and expects it to be there.
  @discardableResult
  func finish(
    _ source: ClipSource, with downloader: Downloader? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> FinishedClip? {
    let fresh = if let downloader { downloader } else { try await self.downloader() }
    let state = await fresh.download(source).settled()
    #expect(state.name == .finished, "\(state)", sourceLocation: sourceLocation)
    return state.clip
  }

  /// Downloads from a server and expects the clip to be there in the end.
  func finish(
    _ server: LoopbackServer, _ expected: [UInt8] = Clips.m4a,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> FinishedClip? {
    let clip = try await finish(.sample(server.url("/a")), sourceLocation: sourceLocation)
    let isRight = clip.map { fileContents($0.path) == expected } ?? false
    #expect(isRight, "other bytes", sourceLocation: sourceLocation)
    return clip
  }
}
