import Synchronization

/// One request on its way, without the redirects it may lead to.
///
/// All but `isCanceled` is touched by the transfer thread only, once the transfer is handed to it.
final class Transfer: @unchecked Sendable {
  /// What a transfer ends with.
  struct Outcome: Sendable {
    var response: HTTPResponse
    /// Where a redirect leads, made absolute by libcurl.
    var redirect: String?
  }

  let request: HTTPRequest
  let url: RequestURL
  let receiver: any BodyReceiver
  /// Set by the task that waits, then told to the thread.
  let isCanceled = Atomic(false)
  private let completion: @Sendable (Result<Outcome, HTTPError>) -> Void

  /// Bytes of the body that have to come in the time after which a transfer counts as stalled.
  private static let leastProgress = 4096
  /// Of the head, which is no place for a book.
  private static let longestHead = 100_000

  /// When progress was last seen, and the bytes of the body since then.
  private var lastProgress = (time: ContinuousClock.now, byteCount: 0)
  private(set) var failure: HTTPError?
  private var head = HeadParser()
  private var headLength = 0
  private var received = 0
  private var isFinished = false

  init(
    request: HTTPRequest, url: RequestURL, receiver: any BodyReceiver,
    completion: @escaping @Sendable (Result<Outcome, HTTPError>) -> Void
  ) {
    self.request = request
    self.url = url
    self.receiver = receiver
    self.completion = completion
  }

  var response: HTTPResponse {
    HTTPResponse(status: head.status, headers: head.headers, url: request.url)
  }

  var isRedirect: Bool { head.isComplete && Redirect.isRedirect(status: head.status) }

  func begin() {
    lastProgress = (.now, 0)
  }

  /// Whether too little has come for so long; a head that does not end and a drip of bytes are no
  /// progress.
  func isStalled(for limit: Duration) -> Bool {
    let now = ContinuousClock.now
    if lastProgress.byteCount >= Self.leastProgress { lastProgress = (now, 0) }
    return now - lastProgress.time > limit
  }

  /// Takes one line of the head; false ends the transfer.
  func receive(headerLine: String) -> Bool {
    headLength += headerLine.utf8.count
    guard headLength <= Self.longestHead else {
      return end(with: .malformedAnswer("a head of more than \(Self.longestHead) bytes"))
    }
    let wasComplete = head.isComplete
    head.add(headerLine)
    guard head.isComplete, !wasComplete, !isRedirect else { return true }
    lastProgress = (.now, 0)
    if let text = response["Content-Length"], let length = Int(text), length > request.maximumBody {
      return end(with: .tooLarge(limit: request.maximumBody))
    }
    return receiver.receive(head: response) || end(with: .stopped)
  }

  /// Takes bytes of the body; false ends the transfer.
  func receive(bytes: Span<UInt8>) -> Bool {
    received += bytes.count
    lastProgress.byteCount += bytes.count
    guard received <= request.maximumBody else {
      return end(with: .tooLarge(limit: request.maximumBody))
    }
    if isRedirect { return true }
    return receiver.receive(bytes: bytes) || end(with: .stopped)
  }

  /// Tells the waiting task, once.
  func finish(_ result: Result<Outcome, HTTPError>) {
    guard !isFinished else { return }
    isFinished = true
    completion(result)
  }

  private func end(with error: HTTPError) -> Bool {
    failure = error
    return false
  }
}
