import PreviewThreads
import Glibc
import LoopbackServer
import PreviewTransport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct HTTPClientTests {
  @Test func `a body arrives whole, with its head`() async throws {
    let body = [UInt8](repeating: 7, count: 300_000)
    let server = try LoopbackServer { _ in Answer(["X-Kind": "clip"], body: body) }
    let answer = try await HTTPClient().data(for: HTTPRequest(url: server.url("/a.m4a")))
    #expect(answer.body == body)
    #expect(answer.response.status == 200)
    #expect(answer.response["x-kind"] == "clip")
  }

  @Test func `a request is a GET that asks for no coding and names the client`() async throws {
    let server = try LoopbackServer { _ in Answer(text: "ok") }
    var configuration = HTTPClient.Configuration()
    configuration.userAgent = "preview/test"
    _ = try await HTTPClient(configuration: configuration).data(
      for: HTTPRequest(url: server.url("/a?b=c#d"), headers: [HTTPHeader("Range", "bytes=5-")]))
    let request = try #require(server.requests.first)
    #expect(request.method == "GET")
    #expect(request.target == "/a?b=c")
    #expect(request["accept-encoding"] == "identity")
    #expect(request["user-agent"] == "preview/test")
    #expect(request["range"] == "bytes=5-")
  }

  @Test func `requests one after the other share a connection`() async throws {
    let server = try LoopbackServer { _ in Answer(text: "ok") }
    let client = HTTPClient()
    for _ in 0..<5 { _ = try await client.data(for: HTTPRequest(url: server.url("/"))) }
    #expect(server.requests.count == 5)
    #expect(server.connectionCount == 1)
  }

  @Test func `no more requests to one host run at once than allowed`() async throws {
    let gate = Gate()
    let server = try LoopbackServer { _ in
      Answer([.wait(gate)] + Answer(text: "ok").steps)
    }
    var configuration = HTTPClient.Configuration()
    configuration.connectionsPerHost = 3
    let client = HTTPClient(configuration: configuration)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<10 {
        group.addTask { _ = try? await client.data(for: HTTPRequest(url: server.url("/"))) }
      }
      await server.waitForRequests(3)
      #expect(server.requests.count == 3)
      gate.open()
    }
    #expect(server.requests.count == 10)
    #expect(server.connectionCount == 3)
  }

  @Test func `cancelling the task ends a transfer that stands still`() async throws {
    let server = try LoopbackServer { _ in
      Answer(body: [1, 2, 3, 4]).cut(after: 2, then: .stall)
    }
    let client = HTTPClient()
    let task = Task { () async -> HTTPError? in
      do throws(HTTPError) {
        _ = try await client.data(for: HTTPRequest(url: server.url("/")))
        return nil
      } catch {
        return error
      }
    }
    await server.waitForRequests(1)
    task.cancel()
    #expect(await task.value == .canceled)
  }

  @Test func `shutting the client down cancels what runs`() async throws {
    let server = try LoopbackServer { _ in Answer([.stall]) }
    let client = HTTPClient()
    let url = server.url("/")
    let answer = Task { try await client.data(for: HTTPRequest(url: url)) }
    await server.waitForRequests(1)
    client.shutDown()
    await #expect(throws: HTTPError.canceled) { _ = try await answer.value }
  }

  @Test func `a receiver that wants no body ends the transfer at the head`() async throws {
    let server = try LoopbackServer { _ in
      Answer(status: 404, body: [UInt8](repeating: 1, count: 100)).cut(after: 0, then: .stall)
    }
    let receiver = Receiver(wantsBody: false)
    await #expect(throws: HTTPError.stopped) {
      _ = try await HTTPClient().send(HTTPRequest(url: server.url("/")), to: receiver)
    }
    #expect(receiver.heads.map(\.status) == [404])
    #expect(receiver.byteCount == 0)
  }

  struct Fault: CustomTestStringConvertible {
    var testDescription: String
    var answer: Answer
    var expected: @Sendable (HTTPError) -> Bool
  }

  static let faults: [Fault] = [
    Fault(
      testDescription: "body shorter than its length", answer: Answer(body: [1, 2]).cut(after: 1)
    ) {
      if case .connectionLost = $0 { true } else { false }
    },
    Fault(
      testDescription: "reset in the body",
      answer: Answer(body: [1, 2]).cut(after: 1, then: .reset)
    ) {
      if case .connectionLost = $0 { true } else { false }
    },
    Fault(testDescription: "closed without a word", answer: Answer([.close])) {
      if case .connectionLost = $0 { true } else { false }
    },
    Fault(
      testDescription: "chunks without an end",
      answer: Answer(raw: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n")
    ) {
      if case .connectionLost = $0 { true } else { false }
    },
    Fault(testDescription: "no HTTP at all", answer: Answer(raw: "hello\r\n\r\n")) {
      if case .malformedAnswer = $0 { true } else { false }
    },
    Fault(
      testDescription: "negative length",
      answer: Answer(raw: "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n")
    ) {
      if case .malformedAnswer = $0 { true } else { false }
    },
    Fault(
      testDescription: "longer than allowed",
      answer: Answer(body: [UInt8](repeating: 0, count: 2000))
    ) {
      $0 == .tooLarge(limit: 1000)
    },
    Fault(
      testDescription: "endless without a length",
      answer: Answer([
        .send(Array("HTTP/1.1 200 OK\r\n\r\n".utf8)), .send([UInt8](repeating: 0, count: 5000)),
        .stall,
      ])
    ) {
      $0 == .tooLarge(limit: 1000)
    },
    Fault(testDescription: "nothing for too long", answer: Answer([.stall])) {
      $0 == .stalled(seconds: 0.2)
    },
    Fault(
      testDescription: "nothing more in the body",
      answer: Answer(body: [1, 2]).cut(after: 1, then: .stall)
    ) {
      $0 == .stalled(seconds: 0.2)
    },
  ]

  /// Answers that never end and bring next to nothing: each step comes when the client has waited a bit.
  static let drips: [Fault] = [
    Fault(testDescription: "a byte at a time", answer: drip("HTTP/1.1 200 OK\r\n\r\n", then: "x")) {
      $0 == .stalled(seconds: 0.2)
    },
    Fault(
      testDescription: "one early answer after the other",
      answer: drip("", then: "HTTP/1.1 100 Continue\r\n\r\n")
    ) {
      $0 == .stalled(seconds: 0.2)
    },
    Fault(
      testDescription: "a head without an end",
      answer: Answer(
        [.send(Array("HTTP/1.1 200 OK\r\n".utf8))]
          + Array(
            repeating: .send(Array("X: \(String(repeating: "y", count: 1000))\r\n".utf8)),
            count: 120)
          + [.stall])
    ) {
      if case .malformedAnswer = $0 { true } else { false }
    },
  ]

  private static func drip(_ head: String, then piece: String) -> Answer {
    let pause = Answer.Step.run { usleep(20_000) }
    let pieces = Array(repeating: [Answer.Step.send(Array(piece.utf8)), pause], count: 500)
    return Answer([.send(Array(head.utf8))] + pieces.joined())
  }

  @Test(arguments: drips) func `an answer that goes on for ever is given up`(drip: Fault)
    async throws
  {
    let server = try LoopbackServer { _ in drip.answer }
    var configuration = HTTPClient.Configuration()
    configuration.stallTimeout = 0.2
    let client = HTTPClient(configuration: configuration)
    let error = await #expect(throws: HTTPError.self) {
      _ = try await client.data(for: HTTPRequest(url: server.url("/")))
    }
    if let error { #expect(drip.expected(error), "\(error)") }
  }

  @Test func `shutting down cancels also those that wait for their host`() async throws {
    let server = try LoopbackServer { _ in Answer([.stall]) }
    var configuration = HTTPClient.Configuration()
    configuration.connectionsPerHost = 2
    let client = HTTPClient(configuration: configuration)
    let errors = await withTaskGroup(of: HTTPError?.self) { group in
      for _ in 0..<8 {
        group.addTask { () async -> HTTPError? in
          do throws(HTTPError) {
            _ = try await client.data(for: HTTPRequest(url: server.url("/")))
            return nil
          } catch {
            return error
          }
        }
      }
      await server.waitForRequests(2)
      client.shutDown()
      return await group.reduce(into: []) { $0.append($1) }
    }
    // One that asked after the end got a new thread, and its answer never comes: there is none here.
    #expect(errors.allSatisfy { $0 == .canceled })
  }

  @Test(arguments: faults) func `a fault of the answer is told apart`(fault: Fault) async throws {
    let server = try LoopbackServer { _ in fault.answer }
    var configuration = HTTPClient.Configuration()
    configuration.stallTimeout = 0.2
    let client = HTTPClient(configuration: configuration)
    let error = await #expect(throws: HTTPError.self) {
      _ = try await client.data(for: HTTPRequest(url: server.url("/")), limit: 1000)
    }
    if let error { #expect(fault.expected(error), "\(error)") }
  }

  @Test func `a client goes on after a name that has no address`() async throws {
    let server = try LoopbackServer { _ in Answer(text: "ok") }
    let client = HTTPClient()
    for _ in 0..<2 {
      await #expect(throws: HTTPError.unresolvedHost("nosuch.invalid")) {
        _ = try await client.data(for: HTTPRequest(url: "http://nosuch.invalid/"))
      }
    }
    #expect(try await client.data(for: HTTPRequest(url: server.url("/"))).response.status == 200)
  }

  @Test func `a port where nobody listens cannot be connected to`() async throws {
    let server = try LoopbackServer { _ in Answer([]) }
    let url = server.url("/")
    server.stop()
    let error = await #expect(throws: HTTPError.self) {
      _ = try await HTTPClient().data(for: HTTPRequest(url: url))
    }
    guard case .cannotConnect = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }
}

/// Counts what it gets.
final class Receiver: BodyReceiver {
  private let state = Lock((heads: [HTTPResponse](), byteCount: 0))
  private let wantsBody: Bool

  init(wantsBody: Bool = true) { self.wantsBody = wantsBody }

  var heads: [HTTPResponse] { state.withLock { $0.heads } }
  var byteCount: Int { state.withLock { $0.byteCount } }

  func receive(head: HTTPResponse) -> Bool {
    state.withLock { $0.heads.append(head) }
    return wantsBody
  }

  func receive(bytes: Span<UInt8>) -> Bool {
    let count = bytes.count
    state.withLock { $0.byteCount += count }
    return true
  }
}
