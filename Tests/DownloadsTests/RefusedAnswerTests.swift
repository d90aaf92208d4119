@testable import PreviewDownloads
import Testing

/// Heads that promise no clip, whatever was asked.
@Suite(.timeLimit(.minutes(1)))
struct RefusedAnswerTests {
  struct RefusalRow: CustomTestStringConvertible {
    var status: Int
    var headers: [String: String] = [:]
    var reason: DownloadFailure.Reason
    var isFinal = true
    var wait: Int?
    var testDescription: String { "\(status) \(headers)" }
  }

  static let refusals: [RefusalRow] = [
    RefusalRow(
      status: 200, headers: ["Content-Type": "multipart/byteranges; boundary=x"],
      reason: .notAudio),
    RefusalRow(status: 200, headers: ["Content-Encoding": "gzip"], reason: .server),
    RefusalRow(status: 204, reason: .server),
    RefusalRow(status: 304, reason: .redirect),
    RefusalRow(status: 400, reason: .server),
    RefusalRow(status: 401, reason: .forbidden),
    RefusalRow(status: 403, reason: .forbidden),
    RefusalRow(status: 404, reason: .gone),
    RefusalRow(status: 410, reason: .gone),
    RefusalRow(status: 451, reason: .forbidden),
    RefusalRow(status: 511, reason: .forbidden),
    RefusalRow(status: 408, reason: .timeout, isFinal: false),
    RefusalRow(status: 425, reason: .throttled, isFinal: false),
    RefusalRow(status: 429, reason: .throttled, isFinal: false),
    RefusalRow(
      status: 429, headers: ["Retry-After": "7"], reason: .throttled, isFinal: false, wait: 7),
    RefusalRow(
      status: 503, headers: ["Retry-After": "120"], reason: .throttled, isFinal: false, wait: 120),
    RefusalRow(status: 500, reason: .server, isFinal: false),
    RefusalRow(status: 502, reason: .server, isFinal: false),
    RefusalRow(status: 504, reason: .server, isFinal: false),
    RefusalRow(status: 522, reason: .server, isFinal: false),
    RefusalRow(status: 524, reason: .server, isFinal: false),
  ]

  @Test(arguments: refusals) func `an answer without a clip has its reason`(row: RefusalRow) {
    for point in [ResumePoint.start, ResumePointTests.halfway] {
      switch point.judge(response(row.status, row.headers)) {
      case .refuse(let failure):
        #expect(row.isFinal)
        #expect(failure.reason == row.reason)
        #expect(failure.message.hasSuffix("."))
      case .later(let failure, let after):
        #expect(!row.isFinal)
        #expect(failure.reason == row.reason)
        #expect(after == row.wait)
      case let judgement: Issue.record("\(judgement)")
      }
    }
  }

  @Test func `416 to a request without a range ends the download`() {
    guard case .refuse(let failure) = ResumePoint.start.judge(response(416)) else {
      Issue.record("not refused")
      return
    }
    #expect(failure.reason == .server)
  }
}
