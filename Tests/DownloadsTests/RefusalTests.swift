import LoopbackServer
@testable import PreviewDownloads
import PreviewTransport
import Testing

/// Answers that bring no clip.
@Suite(.timeLimit(.minutes(1)))
struct RefusalTests {
  struct Row: CustomTestStringConvertible {
    var testDescription: String
    var answer: Answer
    var reason: DownloadFailure.Reason
    /// Words of the message.
    var says: String
    /// With two retries.
    var requests = 1
  }

  static let page = "<!DOCTYPE html><html><title>Log in</title></html>"
  static let endless = Answer([
    .send(Answer.head(status: 200, [:])), .send(Clips.m4a + Clips.m4a), .stall,
  ])
  static let cut = Array(Clips.m4a.dropLast(1000))

  static let rows: [Row] = [
    Row(
      testDescription: "a web page", answer: Answer(["Content-Type": "text/html"], text: page),
      reason: .notAudio, says: "a web page in place of audio. Does the network want a login?"),
    Row(
      testDescription: "a web page said to be audio",
      answer: Answer(["Content-Type": "audio/mp4"], text: page), reason: .notAudio,
      says: "a web page"),
    Row(
      testDescription: "JSON", answer: Answer(["Content-Type": "application/json"], text: "{}"),
      reason: .notAudio, says: "JSON"),
    Row(
      testDescription: "JSON said to be audio",
      answer: Answer(["Content-Type": "audio/mp4"], text: "{\"error\": \"not today\"}"),
      reason: .notAudio, says: "JSON"),
    Row(
      testDescription: "text said to be audio",
      answer: Answer(["Content-Type": "audio/mpeg"], text: "There is no such clip.\n"),
      reason: .notAudio, says: "text"),
    Row(
      testDescription: "a few bytes of text",
      answer: Answer(["Content-Type": "audio/mpeg"], text: "no\n"), reason: .notAudio,
      says: "text"),
    Row(
      testDescription: "unknown bytes", answer: .whole([UInt8](repeating: 2, count: 9000)),
      reason: .notAudio, says: "unknown bytes"),
    Row(
      testDescription: "zeros", answer: .whole([UInt8](repeating: 0, count: 9000)),
      reason: .notAudio, says: "a file of zeros"),
    Row(
      testDescription: "nothing", answer: .whole([]), reason: .notAudio, says: "an empty file",
      requests: 2),
    Row(
      testDescription: "cut on the server", answer: .whole(cut), reason: .truncated,
      says: "cut short"),
    Row(
      testDescription: "too large by its length",
      answer: .whole([UInt8](repeating: 0, count: 500_001)), reason: .tooLarge, says: "500000"),
    Row(
      testDescription: "too large and endless", answer: endless, reason: .tooLarge, says: "500000"),
    Row(
      testDescription: "compressed",
      answer: .whole(Clips.m4a, ["Content-Encoding": "gzip"]), reason: .server, says: "gzip"),
    Row(testDescription: "404", answer: Answer(status: 404), reason: .gone, says: "404"),
    Row(
      testDescription: "404 with a large body",
      answer: Answer(status: 404, body: [UInt8](repeating: 1, count: 600_000)), reason: .gone,
      says: "404"),
    Row(testDescription: "410", answer: Answer(status: 410), reason: .gone, says: "410"),
    Row(testDescription: "403", answer: Answer(status: 403), reason: .forbidden, says: "403"),
    Row(
      testDescription: "403 with a whole clip", answer: Answer(status: 403, body: Clips.m4a),
      reason: .forbidden, says: "403"),
    Row(
      testDescription: "500", answer: Answer(status: 500, body: Clips.m4a), reason: .server,
      says: "500", requests: 3),
    Row(
      testDescription: "503", answer: Answer(status: 503, text: page), reason: .throttled,
      says: "503", requests: 3),
    Row(
      testDescription: "429", answer: Answer(status: 429, ["Retry-After": "1"], text: page),
      reason: .throttled, says: "429", requests: 3),
    Row(
      testDescription: "429 for hours", answer: Answer(status: 429, ["Retry-After": "7200"]),
      reason: .throttled, says: "429"),
    Row(
      testDescription: "a redirect elsewhere", answer: .redirect(to: "ftp://127.0.0.1/x"),
      reason: .redirect, says: "ftp:"),
    Row(
      testDescription: "a redirect to itself", answer: .redirect(to: "/a"), reason: .redirect,
      says: "redirects in a row", requests: 6),
    Row(
      testDescription: "no HTTP", answer: Answer(raw: "hello\r\n\r\n"), reason: .server,
      says: "makes no sense"),
    Row(
      testDescription: "a negative length",
      answer: Answer(raw: "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n"), reason: .server,
      says: "makes no sense"),
    Row(
      testDescription: "gone without a word", answer: Answer([.close]), reason: .offline,
      says: "connection was lost", requests: 3),
  ]

  @Test(arguments: rows)
  func `what is no clip fails for its reason and leaves nothing`(row: Row) async throws {
    let bench = try Bench()
    let server = try LoopbackServer { _ in row.answer }
    let source = ClipSource.sample(server.url("/a"))
    let downloader = try await bench.downloader {
      $0.retries = 2
      $0.maximumSize = 500_000
    }
    let states = await downloader.download(source).allStates()
    let failure = try #require(states.last?.failure)
    #expect(failure.reason == row.reason)
    #expect(failure.message.contains(row.says), "\(failure.message)")
    #expect(server.requests.count == row.requests)
    #expect(bench.clips == [])
    #expect(bench.parts == [])
    #expect(await downloader.record(of: source.id)?.state.failure == failure)
    // The same downloader, and the next process, ask again.
    _ = await downloader.download(source).settled()
    #expect(server.requests.count == 2 * row.requests)
  }

  struct ErrorRow: CustomTestStringConvertible {
    var error: HTTPError
    var reason: DownloadFailure.Reason
    var isWorthARetry: Bool
    var testDescription: String { "\(error)" }
  }

  static let errors: [ErrorRow] = [
    ErrorRow(error: .unresolvedHost("a.example"), reason: .offline, isWorthARetry: true),
    ErrorRow(error: .cannotConnect("refused"), reason: .offline, isWorthARetry: true),
    ErrorRow(error: .connectionLost("reset"), reason: .offline, isWorthARetry: true),
    ErrorRow(error: .exhausted("files"), reason: .offline, isWorthARetry: true),
    ErrorRow(error: .stalled(seconds: 20), reason: .timeout, isWorthARetry: true),
    ErrorRow(error: .timedOut(seconds: 10), reason: .timeout, isWorthARetry: true),
    ErrorRow(error: .untrusted("expired"), reason: .tls, isWorthARetry: false),
    ErrorRow(error: .malformedAnswer("x"), reason: .server, isWorthARetry: false),
    ErrorRow(error: .tooLarge(limit: 5), reason: .tooLarge, isWorthARetry: false),
    ErrorRow(error: .refusedRedirect("x"), reason: .redirect, isWorthARetry: false),
    ErrorRow(error: .tooManyRedirects(5), reason: .redirect, isWorthARetry: false),
    ErrorRow(error: .invalidURL("x"), reason: .refusedAddress, isWorthARetry: false),
    ErrorRow(error: .unsupportedScheme("ftp"), reason: .refusedAddress, isWorthARetry: false),
    ErrorRow(
      error: .unreadableFile(path: "/x", errno: 2), reason: .gone, isWorthARetry: false),
    ErrorRow(
      error: .unreadableFile(path: "/x", errno: 13), reason: .disk, isWorthARetry: false),
    ErrorRow(error: .unavailable("libcurl.so.4"), reason: .offline, isWorthARetry: false),
  ]

  @Test(arguments: errors) func `an error of the transport has its reason`(row: ErrorRow) {
    let (failure, isWorthARetry) = DownloadFailure.of(row.error)
    #expect(failure.reason == row.reason)
    #expect(isWorthARetry == row.isWorthARetry)
    #expect(failure.message.hasSuffix(".") || failure.message.hasSuffix("?"))
  }

  @Test func `a server that asks for a pause gets it`() async throws {
    let bench = try Bench()
    let server = try LoopbackServer { request in
      switch request.ordinal {
      case 0: Answer(status: 429, ["Retry-After": "7"])
      case 1:
        Answer(
          status: 503, ["Retry-After": HeaderFieldTests.secondLater, "Date": HeaderFieldTests.day])
      case 2: Answer(status: 503)
      default: Resource(Clips.m4a).answer(to: request)
      }
    }
    let downloader = try await bench.downloader { $0.random = { $0 } }
    #expect(await downloader.download(.sample(server.url("/a"))).settled().name == .finished)
    #expect(bench.waits == [7, 2, 4])
  }

  @Test func `waits between tries grow up to half a minute`() async throws {
    let bench = try Bench()
    let server = try LoopbackServer { _ in Answer(status: 500) }
    let downloader = try await bench.downloader {
      $0.retries = 8
      $0.random = { $0 }
    }
    #expect(await downloader.download(.sample(server.url("/a"))).settled().name == .failed)
    #expect(bench.waits == [1, 2, 4, 8, 16, 30, 30, 30])
  }

  @Test func `a pause ends the wait between tries`() async throws {
    let bench = try Bench()
    let gate = Gate()
    let server = try LoopbackServer { _ in Answer([.wait(gate)] + Answer(status: 500).steps) }
    let downloader = try await bench.downloader {
      $0.sleep = { _ in try await Task.sleep(for: .seconds(3600)) }
    }
    let download = downloader.download(.sample(server.url("/a")))
    await server.waitForRequests(1)
    gate.open()
    download.pause()
    #expect(await download.settled().name == .paused)
    #expect(server.requests.count == 1)
  }
}
