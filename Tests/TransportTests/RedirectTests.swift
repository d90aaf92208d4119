import LoopbackServer
@testable import PreviewTransport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RedirectTests {
  @Test(arguments: [301, 302, 303, 307, 308])
  func `a redirect is followed, and its body dropped`(status: Int) async throws {
    let server = try LoopbackServer { request in
      request.path == "/old"
        ? .redirect(to: "/new?x=1", status: status) : Answer(text: "there")
    }
    let receiver = Receiver()
    let response = try await HTTPClient().send(
      HTTPRequest(url: server.url("/old"), headers: [HTTPHeader("Range", "bytes=2-")]),
      to: receiver)
    #expect(response.url == server.url("/new?x=1"))
    #expect(receiver.heads.map(\.status) == [200])
    #expect(receiver.byteCount == 5)
    #expect(server.requests.map { $0["range"] } == ["bytes=2-", "bytes=2-"])
  }

  struct Refusal: CustomTestStringConvertible {
    var location: String?
    var testDescription: String { location ?? "no Location" }
  }

  @Test(arguments: [
    Refusal(location: "file:///etc/passwd"), Refusal(location: "ftp://127.0.0.1/a"),
    Refusal(location: "musics://itunes.apple.com/x"), Refusal(location: "gopher://127.0.0.1:1/"),
    Refusal(location: "http://user:word@127.0.0.1/"), Refusal(location: nil),
    Refusal(location: "http://"),
  ])
  func `a redirect that leads astray is refused`(refusal: Refusal) async throws {
    let server = try LoopbackServer { _ in
      Answer(status: 302, refusal.location.map { ["Location": $0] } ?? [:])
    }
    let error = await #expect(throws: HTTPError.self) {
      _ = try await HTTPClient().data(for: HTTPRequest(url: server.url("/")))
    }
    guard case .refusedRedirect = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(server.requests.count == 1)
  }

  @Test func `a loop ends after five hops`() async throws {
    let server = try LoopbackServer { _ in .redirect(to: "/again") }
    await #expect(throws: HTTPError.tooManyRedirects(5)) {
      _ = try await HTTPClient().data(for: HTTPRequest(url: server.url("/again")))
    }
    #expect(server.requests.count == 6)
  }

  struct URLRow: CustomTestStringConvertible {
    var url: String
    var expected: HTTPError
    var testDescription: String { url.debugDescription }
  }

  @Test(arguments: [
    URLRow(url: "ftp://127.0.0.1/a", expected: .unsupportedScheme("ftp")),
    URLRow(url: "file:///etc/passwd", expected: .unsupportedScheme("file")),
    URLRow(
      url: "http://a:b@127.0.0.1/",
      expected: .invalidURL("user name or password in 'http://…': not sent, take it out")),
    URLRow(url: "http://127.0.0.1/\r\nX: y", expected: .invalidURL("control characters in a URL")),
    URLRow(url: "http:///a", expected: .invalidURL("'http:///a' names no host")),
    URLRow(url: "a?key=1", expected: .invalidURL("'a' is no URL: 'scheme://' is missing")),
  ])
  func `a URL that must not be asked is refused before it is sent`(row: URLRow) async {
    await #expect(throws: row.expected) {
      _ = try await HTTPClient().data(for: HTTPRequest(url: row.url))
    }
  }

  @Test func `https never falls back to http`() throws {
    let request = HTTPRequest(url: "https://a.example/x")
    #expect(throws: HTTPError.refusedRedirect("a redirect from https to http")) {
      _ = try Redirect.next(to: "http://a.example/x", from: request, count: 0)
    }
  }
}
