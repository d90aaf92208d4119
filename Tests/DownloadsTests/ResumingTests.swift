import LoopbackServer
@testable import PreviewDownloads
import PreviewTransport
import Testing

/// Transfers that break off, and servers that answer a range in their own way.
@Suite(.timeLimit(.minutes(1)))
struct ResumingTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  /// Downloads from a server and expects the clip to be there in the end.
  func finish(
    _ server: LoopbackServer, _ expected: [UInt8] = Clips.m4a,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> FinishedClip? {
    let state = await (try bench.downloader()).download(.sample(server.url("/a"))).settled()
    #expect(state.name == .finished, "\(state)", sourceLocation: sourceLocation)
    let isRight = state.clip.map { fileContents($0.path) == expected } ?? false
    #expect(isRight, "other bytes", sourceLocation: sourceLocation)
    return state.clip
  }

  @Test func `a server that cuts at 40 % three times sends each byte once`() async throws {
    let server = try LoopbackServer { request in
      let answer = Resource(Clips.m4a).answer(to: request)
      let rest = Clips.m4a.count - (request.rangeStart ?? 0)
      return request.ordinal < 3 ? answer.cut(after: rest * 4 / 10) : answer
    }
    _ = try await finish(server)
    let starts = server.rangeStarts.map { $0 ?? 0 }
    var expected = [0]
    for _ in 0..<3 {
      expected.append(
        expected[expected.count - 1] + (Clips.m4a.count - expected[expected.count - 1]) * 4 / 10)
    }
    #expect(starts == expected)
    #expect(server.requests.dropFirst().allSatisfy { $0["if-range"] == "\"v1\"" })
    #expect(server.requests.first?["if-range"] == nil)
    #expect(server.requests.allSatisfy { $0.method == "GET" })
  }

  @Test(arguments: ["reset", "stall"])
  func `a connection that dies is replaced by one for the rest`(death: String) async throws {
    var configuration = HTTPClient.Configuration()
    configuration.stallTimeout = 0.2
    let bench = try Bench(client: HTTPClient(configuration: configuration))
    let server = try LoopbackServer { request in
      let answer = Resource(Clips.m4a).answer(to: request)
      guard request.ordinal == 0 else { return answer }
      return answer.cut(after: 100_000, then: death == "stall" ? .stall : .reset)
    }
    let source = ClipSource.sample(server.url("/a"))
    let state = await (try bench.downloader()).download(source).settled()
    #expect(state.name == .finished, "\(state)")
    #expect(bench.directory.contents(of: ClipSource.sampleName) == Clips.m4a)
    #expect(server.requests.count == 2)
    // An RST may take bytes with it that were already on the way.
    let start = (server.rangeStarts.last ?? nil) ?? 0
    #expect(death == "reset" ? start <= 100_000 : start == 100_000)
  }

  struct Row: CustomTestStringConvertible {
    var testDescription: String
    /// Of the first answer, which breaks off behind 100,000 bytes.
    var first = Resource(Clips.m4a)
    /// The second answer.
    var second: @Sendable (Request) -> Answer
    /// What the requests ask for.
    var starts: [Int?]
    var expected = Clips.m4a
  }

  static func changed(_ change: (inout Resource) -> Void) -> Resource {
    var resource = Resource(Clips.m4a)
    change(&resource)
    return resource
  }

  static func part(_ range: String, tag: String? = "\"v1\"") -> Answer {
    var headers = ["Content-Range": range]
    headers["ETag"] = tag
    return Answer(status: 206, headers, body: Array(Clips.other.prefix(50_000)))
  }

  static let weak = changed { $0.entityTag = "W/\"v1\"" }
  static let bare = changed { $0.entityTag = nil }
  static let unranged = changed { $0.acceptsRanges = false }
  static let renewed = changed {
    $0.bytes = Clips.other
    $0.entityTag = "\"v2\""
  }
  static let dated = changed {
    $0.entityTag = nil
    $0.lastModified = HeaderFieldTests.day
    $0.date = HeaderFieldTests.secondLater
  }

  static let rows: [Row] = [
    Row(
      testDescription: "200 to a range replaces what was here (8)",
      second: { unranged.answer(to: $0) }, starts: [nil, 100_000]),
    Row(
      testDescription: "200 as long as what was here (9)",
      first: Resource(Clips.other), second: { _ in .whole(Array(Clips.mp3)) },
      starts: [nil, 100_000], expected: Clips.mp3),
    Row(
      testDescription: "a changed entity tag (10)",
      second: { renewed.answer(to: $0) }, starts: [nil, 100_000], expected: Clips.other),
    Row(
      testDescription: "206 for another entity tag: If-Range ignored (15)",
      second: { _ in part("bytes 100000-\(Clips.length - 1)/\(Clips.length)", tag: "\"v2\"") },
      starts: [nil, 100_000, nil]),
    Row(
      testDescription: "a weak entity tag (11)", first: weak,
      second: { weak.answer(to: $0) }, starts: [nil, nil]),
    Row(
      testDescription: "no validator (13)", first: bare,
      second: { bare.answer(to: $0) }, starts: [nil, nil]),
    Row(
      testDescription: "a strong date (12)", first: dated,
      second: { dated.answer(to: $0) }, starts: [nil, 100_000]),
    Row(
      testDescription: "206 from another first byte (5)",
      second: { _ in part("bytes 0-49999/\(Clips.length)") }, starts: [nil, 100_000, nil]),
    Row(
      testDescription: "206 with another total (5)",
      second: { _ in part("bytes 100000-149999/150000") }, starts: [nil, 100_000, nil]),
    Row(
      testDescription: "206 without a total (5)",
      second: { _ in part("bytes 100000-149999/*") }, starts: [nil, 100_000, nil]),
    Row(
      testDescription: "206 without a range (4)",
      second: { _ in Answer(status: 206, ["ETag": "\"v1\""], body: Clips.mp3) },
      starts: [nil, 100_000, nil]),
    Row(
      testDescription: "206 in parts (6)",
      second: { _ in
        Answer(
          status: 206, ["ETag": "\"v1\"", "Content-Type": "multipart/byteranges; boundary=x"],
          text: "--x\r\nContent-Type: audio/mp4\r\n\r\nabc\r\n--x--")
      }, starts: [nil, 100_000, nil]),
    Row(
      testDescription: "206 that stops early (7)",
      second: { _ in
        Answer(
          status: 206,
          ["ETag": "\"v1\"", "Content-Range": "bytes 100000-149999/\(Clips.length)"],
          body: Array(Clips.m4a[100_000..<150_000]))
      }, starts: [nil, 100_000, 150_000]),
    Row(
      testDescription: "416 though bytes are missing, with a web page (2, 3)",
      second: { _ in
        Answer(
          status: 416, ["Content-Range": "bytes */5", "Content-Type": "text/html"],
          text: "<html>no</html>")
      }, starts: [nil, 100_000, nil]),
    Row(
      testDescription: "503 in between, with a body",
      second: { _ in Answer(status: 503, ["Retry-After": "1"], body: Clips.mp3) },
      starts: [nil, 100_000, 100_000]),
    Row(
      testDescription: "500 in between, with a body",
      second: { _ in Answer(status: 500, body: Clips.mp3) }, starts: [nil, 100_000, 100_000]),
    Row(
      testDescription: "a redirect in between",
      second: { _ in .redirect(to: "/b") }, starts: [nil, 100_000, 100_000]),
  ]

  @Test(arguments: rows) func `what comes after a cut never mixes with it`(row: Row) async throws {
    let server = try LoopbackServer { request in
      switch (request.path, request.ordinal) {
      case ("/a", 0): row.first.answer(to: request).cut(after: 100_000)
      case ("/a", 1): row.second(request)
      default: row.first.answer(to: request)
      }
    }
    let clip = try await finish(server, row.expected)
    #expect(server.rangeStarts == row.starts)
    let isRestarted =
      server.rangeStarts.last == .some(nil) || row.expected != Clips.m4a
      || row.testDescription.hasPrefix("200")
    #expect(isRestarted || clip?.byteCount == Clips.m4a.count)
  }

  @Test func `416 for a part that is complete ends in success`() async throws {
    // Every byte came, but not the last chunk: only the 416 shows that nothing is missing.
    let server = try LoopbackServer { request in
      request.ordinal == 0
        ? .chunked(Clips.m4a, ["ETag": "\"v1\""], isWhole: false)
        : Resource(Clips.m4a).answer(to: request)
    }
    _ = try await finish(server)
    #expect(server.rangeStarts == [nil, Clips.m4a.count])
  }

  @Test func `chunks without an end are gone on with`() async throws {
    let server = try LoopbackServer { request in
      request.ordinal == 0
        ? .chunked(Array(Clips.m4a.prefix(100_000)), ["ETag": "\"v1\""], isWhole: false)
        : Resource(Clips.m4a).answer(to: request)
    }
    _ = try await finish(server)
    #expect(server.rangeStarts == [nil, 100_000])
  }

  @Test(arguments: [Clips.m4a, Clips.mp3])
  func `a body that ends with the connection is taken if its container is whole`(
    bytes: [UInt8]
  ) async throws {
    let server = try LoopbackServer { _ in .closeDelimited(bytes) }
    _ = try await finish(server, bytes)
    #expect(server.requests.count == 1)
  }

  @Test(arguments: [Clips.m4a, Clips.mp3])
  func `a body that ends with the connection too early fails`(bytes: [UInt8]) async throws {
    let server = try LoopbackServer { _ in .closeDelimited(Array(bytes.dropLast(40_000))) }
    let state = await (try bench.downloader()).download(.sample(server.url("/a"))).settled()
    #expect(state.failure?.reason == .truncated)
    #expect(bench.clips == [])
  }

  @Test func `an empty body is asked for once more`() async throws {
    let server = try LoopbackServer { request in
      request.ordinal == 0 ? Answer(body: []) : Resource(Clips.m4a).answer(to: request)
    }
    _ = try await finish(server)
    #expect(server.requests.count == 2)
  }

  @Test func `bytes of two answers that make no clip are fetched anew, once`() async throws {
    // The validator and the total are the same, the bytes are not.
    let mixed = Array(Clips.other.prefix(Clips.m4a.count))
    let server = try LoopbackServer { request in
      request.ordinal == 0
        ? Resource(mixed.map { $0 ^ 0x55 }.replacingStart(with: mixed)).answer(to: request)
          .cut(after: 100_000) : Resource(Clips.m4a).answer(to: request)
    }
    let clip = try await finish(server)
    #expect(server.rangeStarts == [nil, 100_000, nil])
    #expect(clip?.resumedFrom == 0)
  }
}

extension [UInt8] {
  /// The same bytes behind the first 100,000 of others.
  fileprivate func replacingStart(with other: [UInt8]) -> [UInt8] {
    Array(other.prefix(100_000) + self.dropFirst(100_000))
  }
}
