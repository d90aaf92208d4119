import Glibc
import PreviewTransport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct LocalFileTests {
  @Test func `a local file answers like a server, with ranges under its entity tag`() async throws {
    let path = "/tmp/preview file-\(getpid()).bin"
    let descriptor = unsafe open(path, O_CREAT | O_WRONLY | O_TRUNC, 0o600)
    _ = unsafe write(descriptor, [UInt8](0..<200), 200)
    close(descriptor)
    defer { unsafe unlink(path) }
    let url = "file:///tmp/preview%20file-\(getpid()).bin"
    let policy = HTTPRequest.Policy(allowsLocalFile: true)
    let client = HTTPClient()

    let whole = try await client.data(for: HTTPRequest(url: url, policy: policy))
    #expect(whole.body == [UInt8](0..<200))
    let tag = try #require(whole.response["ETag"])

    func range(_ start: Int, if condition: String) async throws -> (Int, [UInt8], String?) {
      let request = HTTPRequest(
        url: url,
        headers: [HTTPHeader("Range", "bytes=\(start)-"), HTTPHeader("If-Range", condition)],
        policy: policy)
      let answer = try await client.data(for: request)
      return (answer.response.status, answer.body, answer.response["Content-Range"])
    }
    #expect(try await range(150, if: tag) == (206, [UInt8](150..<200), "bytes 150-199/200"))
    #expect(try await range(150, if: "\"other\"").0 == 200)
    #expect(try await range(200, if: tag) == (416, [], "bytes */200"))
  }

  @Test(arguments: [("/nowhere/at/all", ENOENT), ("/tmp", EISDIR)])
  func `a file that cannot be read is named`(path: String, errno: Int32) async {
    let request = HTTPRequest(
      url: "file://\(path)", policy: HTTPRequest.Policy(allowsLocalFile: true))
    await #expect(throws: HTTPError.unreadableFile(path: path, errno: errno)) {
      _ = try await HTTPClient().data(for: request)
    }
  }
}
