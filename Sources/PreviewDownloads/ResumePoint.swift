import PreviewTransport

/// Where a request begins and what its answer means: it writes the request's headers and judges the
/// answer by them, so that no path asks without the validator or believes an answer unseen.
struct ResumePoint: Equatable, Sendable {
  /// Bytes that are here; 0 asks for the whole.
  let offset: Int
  /// Bytes of the whole; nil where no server has said.
  let total: Int?
  /// Of the bytes that are here; there is one wherever `offset` is more than 0.
  let validator: EntityValidator?

  /// From the first byte.
  static let start = ResumePoint(offset: 0, total: nil, validator: nil)

  private init(offset: Int, total: Int?, validator: EntityValidator?) {
    self.offset = offset
    self.total = total
    self.validator = validator
  }

  /// Goes on behind `received` bytes, or from the first where that would not be safe: without a strong
  /// validator, or with more bytes than there should be.
  init(received: Int, total: Int?, validator: EntityValidator?) {
    guard received > 0, let validator, received <= total ?? .max else {
      self = .start
      return
    }
    self.init(offset: received, total: total, validator: validator)
  }

  /// Whether every byte is here and only the check is left.
  var isComplete: Bool { offset > 0 && offset == total }

  /// `Range` and `If-Range`, or nothing (RFC 9110, sections 13.1.5 and 14.2).
  var headers: [HTTPHeader] {
    guard offset > 0, let validator else { return [] }
    return [
      HTTPHeader("Range", "bytes=\(offset)-"), HTTPHeader("If-Range", validator.fieldValue),
    ]
  }

  /// What an answer is good for.
  enum Judgement: Equatable {
    /// Its body goes behind the bytes that are here; the whole has `total` bytes.
    case append(total: Int)
    /// Its body is the clip from its first byte on.
    case replace(total: Int?, validator: EntityValidator?)
    /// Every byte is here already.
    case complete
    /// Neither it nor the bytes that are here are of use: ask once more, from the first byte.
    case restart
    /// No body of the clip, and why.
    case refuse(DownloadFailure)
    /// Not now; `after` is how many seconds the server wants to be left alone.
    case later(DownloadFailure, after: Int?)
  }

  /// Judges an answer to the request with these headers.
  func judge(_ response: HTTPResponse) -> Judgement {
    switch response.status {
    case 200: return judgeWhole(response)
    case 206: return judgePart(response)
    case 416: return judgeUnsatisfied(response)
    case 401, 403, 451:
      return .refuse(
        DownloadFailure(
          .forbidden,
          "The server refuses the clip (HTTP \(response.status)). "
            + "Look the track up again, or try another catalog."))
    case 404, 410:
      return .refuse(
        DownloadFailure(
          .gone,
          "The clip is gone from the server (HTTP \(response.status)). "
            + "Look the track up again: its preview may have moved."))
    case 511:
      return .refuse(
        DownloadFailure(
          .forbidden,
          "The network wants a login (HTTP 511). Open any page in a browser, then try again."))
    case 408:
      return .later(
        DownloadFailure(.timeout, "The server waited too long (HTTP 408). Go on: preview retry."),
        after: nil)
    case 425, 429, 503:
      return .later(
        DownloadFailure(
          .throttled,
          "The server asks for a pause (HTTP \(response.status)). Try again later: preview retry."),
        after: RetryAfter.seconds(in: response))
    case 500, 502, 504, 522, 524:
      return .later(
        DownloadFailure(
          .server,
          "The server has trouble (HTTP \(response.status)). Try again later: preview retry."),
        after: RetryAfter.seconds(in: response))
    case 300..<400:
      return .refuse(
        DownloadFailure(.redirect, "The server sends the request elsewhere without saying where."))
    default:
      return .refuse(
        DownloadFailure(.server, "The server answers HTTP \(response.status), which is no clip."))
    }
  }

  private func judgeWhole(_ response: HTTPResponse) -> Judgement {
    if let refusal = Self.refusal(ofBodyOf: response) { return .refuse(refusal) }
    return .replace(
      // Beside a transfer coding a length means nothing (RFC 9112, section 6.3).
      total: response["Transfer-Encoding"] == nil
        ? response["Content-Length"].flatMap { Int(digits: $0) } : nil,
      validator: EntityValidator(of: response))
  }

  private func judgePart(_ response: HTTPResponse) -> Judgement {
    guard offset > 0, let validator,
      let range = ContentRange(response["Content-Range"] ?? ""),
      range.first == offset, range.last >= range.first, range.last < range.total,
      total.map({ $0 == range.total }) ?? true, validator.agrees(with: response),
      Self.refusal(ofBodyOf: response) == nil
    else { return .restart }
    return .append(total: range.total)
  }

  private func judgeUnsatisfied(_ response: HTTPResponse) -> Judgement {
    guard offset > 0 else {
      return .refuse(
        DownloadFailure(.server, "The server answers HTTP 416 to a request without a range."))
    }
    let isWhole = response["Content-Range"] == "bytes */\(offset)" && total ?? offset == offset
    return isWhole ? .complete : .restart
  }

  /// Why a body is no clip whatever its bytes are; nil where nothing speaks against it.
  private static func refusal(ofBodyOf response: HTTPResponse) -> DownloadFailure? {
    if let coding = response["Content-Encoding"], !coding.equalsIgnoringASCIICase("identity") {
      return DownloadFailure(
        .server, "The server sent the clip in the coding '\(coding)', which was not asked for.")
    }
    // Many a server calls every file text/plain: only the bytes tell what a body is.
    let isMultipart = response["Content-Type"]?.lowercased().hasPrefix("multipart/") == true
    return isMultipart ? .notAudio(found: "a multipart body") : nil
  }
}

extension DownloadFailure {
  /// The body is no audio but `found`.
  static func notAudio(found: String) -> DownloadFailure {
    let hint =
      found == "a web page"
      ? "Does the network want a login? Open any page in a browser, then try again."
      : "Look the track up again, or check the URL."
    return DownloadFailure(.notAudio, "The server sent \(found) in place of audio. \(hint)")
  }
}
