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

  private(set) var lastActivity = ContinuousClock.now
  private(set) var failure: HTTPError?
  private var head = HeadParser()
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
    lastActivity = .now
  }

  /// Takes one line of the head; false ends the transfer.
  func receive(headerLine: String) -> Bool {
    lastActivity = .now
    let wasComplete = head.isComplete
    head.add(headerLine)
    guard head.isComplete, !wasComplete, !isRedirect else { return true }
    if let text = response["Content-Length"], let length = Int(text), length > request.maximumBody {
      return end(with: .tooLarge(limit: request.maximumBody))
    }
    return receiver.receive(head: response) || end(with: .stopped)
  }

  /// Takes bytes of the body; false ends the transfer.
  func receive(bytes: Span<UInt8>) -> Bool {
    lastActivity = .now
    received += bytes.count
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
