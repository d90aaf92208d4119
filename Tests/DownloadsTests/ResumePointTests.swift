@testable import PreviewDownloads
import PreviewTransport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ResumePointTests {
  static let tag = EntityValidator.entityTag("\"v1\"")
  static let date = EntityValidator.lastModified("Sun, 06 Nov 1994 08:49:37 GMT")
  static let halfway = ResumePoint(received: 400, total: 1000, validator: tag)
  static let unknown = ResumePoint(received: 400, total: nil, validator: tag)

  struct RequestRow: CustomTestStringConvertible {
    var testDescription: String
    var received: Int
    var total: Int?
    var validator: EntityValidator?
    var headers: [HTTPHeader] = []
    var isComplete = false
  }

  static let requests: [RequestRow] = [
    RequestRow(testDescription: "nothing is here", received: 0, total: nil, validator: nil),
    RequestRow(testDescription: "no byte, though a total", received: 0, total: 9, validator: tag),
    RequestRow(testDescription: "no validator", received: 400, total: 1000, validator: nil),
    RequestRow(
      testDescription: "an entity tag", received: 400, total: 1000, validator: tag,
      headers: [HTTPHeader("Range", "bytes=400-"), HTTPHeader("If-Range", "\"v1\"")]),
    RequestRow(
      testDescription: "a date", received: 400, total: nil, validator: date,
      headers: [
        HTTPHeader("Range", "bytes=400-"), HTTPHeader("If-Range", "Sun, 06 Nov 1994 08:49:37 GMT"),
      ]),
    RequestRow(
      testDescription: "every byte", received: 1000, total: 1000, validator: tag,
      headers: [HTTPHeader("Range", "bytes=1000-"), HTTPHeader("If-Range", "\"v1\"")],
      isComplete: true),
    RequestRow(
      testDescription: "more than there should be", received: 1001, total: 1000, validator: tag),
  ]

  @Test(arguments: requests)
  func `a range is asked for under a strong validator only`(row: RequestRow) {
    let point = ResumePoint(received: row.received, total: row.total, validator: row.validator)
    #expect(point.headers == row.headers)
    #expect(point.isComplete == row.isComplete)
    #expect(point.offset == (row.headers.isEmpty ? 0 : row.received))
  }

  struct AnswerRow: CustomTestStringConvertible {
    var testDescription: String
    var point = halfway
    var status: Int
    var headers: [String: String] = [:]
    var expected: ResumePoint.Judgement
  }

  static func part(_ range: String?, _ more: [String: String] = ["ETag": "\"v1\""]) -> [String:
    String]
  {
    var headers = more
    headers["Content-Range"] = range
    return headers
  }

  static let answers: [AnswerRow] = [
    // 206
    AnswerRow(
      testDescription: "206, the rest", status: 206, headers: part("bytes 400-999/1000"),
      expected: .append(total: 1000)),
    AnswerRow(
      testDescription: "206, the rest, without a tag", status: 206,
      headers: part("bytes 400-999/1000", [:]), expected: .append(total: 1000)),
    AnswerRow(
      testDescription: "206, the rest, total not known before", point: unknown, status: 206,
      headers: part("bytes 400-999/1000"), expected: .append(total: 1000)),
    AnswerRow(
      testDescription: "206, less than the rest (7)", status: 206,
      headers: part("bytes 400-499/1000"), expected: .append(total: 1000)),
    AnswerRow(
      testDescription: "206, without Content-Range (4)", status: 206, headers: part(nil),
      expected: .restart),
    AnswerRow(
      testDescription: "206, another first byte (5)", status: 206,
      headers: part("bytes 0-999/1000"), expected: .restart),
    AnswerRow(
      testDescription: "206, one byte off (5)", status: 206,
      headers: part("bytes 401-999/1000"), expected: .restart),
    AnswerRow(
      testDescription: "206, no total (5)", status: 206, headers: part("bytes 400-999/*"),
      expected: .restart),
    AnswerRow(
      testDescription: "206, no range (5)", status: 206, headers: part("bytes */1000"),
      expected: .restart),
    AnswerRow(
      testDescription: "206, last before first (5)", status: 206,
      headers: part("bytes 400-399/1000"), expected: .restart),
    AnswerRow(
      testDescription: "206, total not behind last (5)", point: unknown, status: 206,
      headers: part("bytes 400-999/999"), expected: .restart),
    AnswerRow(
      testDescription: "206, another total (10)", status: 206,
      headers: part("bytes 400-1099/1100"), expected: .restart),
    AnswerRow(
      testDescription: "200 that calls a clip text", status: 200,
      headers: ["ETag": "\"v2\"", "Content-Length": "900", "Content-Type": "text/plain"],
      expected: .replace(total: 900, validator: .entityTag("\"v2\""))),
    AnswerRow(
      testDescription: "206, multipart (6)", status: 206,
      headers: part(
        "bytes 400-999/1000",
        ["ETag": "\"v1\"", "Content-Type": "multipart/byteranges; boundary=x"]),
      expected: .restart),
    AnswerRow(
      testDescription: "206, another tag (10, 15)", status: 206,
      headers: part("bytes 400-999/1000", ["ETag": "\"v2\""]), expected: .restart),
    AnswerRow(
      testDescription: "206, the tag gone weak (11)", status: 206,
      headers: part("bytes 400-999/1000", ["ETag": "W/\"v1\""]), expected: .restart),
    AnswerRow(
      testDescription: "206, another date (15)",
      point: ResumePoint(received: 400, total: 1000, validator: date), status: 206,
      headers: part(
        "bytes 400-999/1000", ["Last-Modified": "Mon, 07 Nov 1994 08:49:37 GMT"]),
      expected: .restart),
    AnswerRow(
      testDescription: "206, the same date (12)",
      point: ResumePoint(received: 400, total: 1000, validator: date), status: 206,
      headers: part(
        "bytes 400-999/1000", ["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"]),
      expected: .append(total: 1000)),
    AnswerRow(
      testDescription: "206, compressed (24)", status: 206,
      headers: part("bytes 400-999/1000", ["ETag": "\"v1\"", "Content-Encoding": "gzip"]),
      expected: .restart),
    AnswerRow(
      testDescription: "206 to a request without a range", point: .start, status: 206,
      headers: part("bytes 0-999/1000"), expected: .restart),
    // 200
    AnswerRow(
      testDescription: "200", point: .start, status: 200,
      headers: ["Content-Length": "1000", "ETag": "\"v1\""],
      expected: .replace(total: 1000, validator: tag)),
    AnswerRow(
      testDescription: "200 without a length", point: .start, status: 200,
      headers: ["Transfer-Encoding": "chunked"], expected: .replace(total: nil, validator: nil)),
    AnswerRow(
      testDescription: "200 to a range (8)", status: 200,
      headers: ["Content-Length": "1000", "ETag": "\"v2\""],
      expected: .replace(total: 1000, validator: .entityTag("\"v2\""))),
    AnswerRow(
      testDescription: "200 as long as what is here (9)", status: 200,
      headers: ["Content-Length": "400", "ETag": "\"v1\""],
      expected: .replace(total: 400, validator: tag)),
    AnswerRow(
      testDescription: "200 with a weak tag (11)", point: .start, status: 200,
      headers: ["Content-Length": "1000", "ETag": "W/\"v1\""],
      expected: .replace(total: 1000, validator: nil)),
    AnswerRow(
      testDescription: "200 said to be in no coding", point: .start, status: 200,
      headers: ["Content-Length": "1000", "Content-Encoding": "Identity"],
      expected: .replace(total: 1000, validator: nil)),
    // 416
    AnswerRow(
      testDescription: "416, every byte is here (1)", point: unknown, status: 416,
      headers: ["Content-Range": "bytes */400"], expected: .complete),
    AnswerRow(
      testDescription: "416, every byte is here and was expected (1)",
      point: ResumePoint(received: 400, total: 400, validator: tag), status: 416,
      headers: ["Content-Range": "bytes */400"], expected: .complete),
    AnswerRow(
      testDescription: "416, with a web page (3)", point: unknown, status: 416,
      headers: ["Content-Range": "bytes */400", "Content-Type": "text/html"], expected: .complete),
    AnswerRow(
      testDescription: "416, but bytes are missing (2)", status: 416,
      headers: ["Content-Range": "bytes */1000"], expected: .restart),
    AnswerRow(
      testDescription: "416, as long as the part, but not as the total (2)", status: 416,
      headers: ["Content-Range": "bytes */400"], expected: .restart),
    AnswerRow(
      testDescription: "416, shorter than what is here (2)", point: unknown, status: 416,
      headers: ["Content-Range": "bytes */300"], expected: .restart),
    AnswerRow(
      testDescription: "416, without a word (2)", point: unknown, status: 416, expected: .restart),
  ]

  @Test(arguments: answers) func `an answer is judged by the request it answers`(row: AnswerRow) {
    #expect(row.point.judge(response(row.status, row.headers)) == row.expected)
  }
}

/// A head with these fields.
func response(_ status: Int, _ headers: [String: String] = [:]) -> HTTPResponse {
  HTTPResponse(
    status: status, headers: headers.sorted { $0.key < $1.key }.map { HTTPHeader($0, $1) },
    url: "http://127.0.0.1/")
}
