import PreviewThreads
import Synchronization

/// Sends requests over HTTP with libcurl, on one thread of its own.
///
/// The thread starts with the first request and ends with the last reference to the client, or with
/// `shutDown()`.
public final class HTTPClient: Sendable {
  /// What holds for every request of a client.
  public struct Configuration: Sendable {
    /// How the client introduces itself.
    public var userAgent = "preview"
    /// Seconds until a connection must stand.
    public var connectTimeout = 10.0
    /// Seconds after which a transfer is given up that brings next to nothing.
    public var stallTimeout = 20.0
    /// Connections to one host at the same time.
    public var connectionsPerHost = 8

    /// The defaults.
    public init() {}
  }

  private let configuration: Configuration
  private let thread = Lock<TransferThread?>(nil)
  private let fileThread = Lock<BlockingThreads?>(nil)

  /// - Parameter configuration: what holds for every request.
  public init(configuration: Configuration = Configuration()) {
    self.configuration = configuration
  }

  deinit { shutDown() }

  /// Cancels what runs and lets the thread end; a later request starts another.
  public func shutDown() {
    let running = thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
    running?.stop()
  }

  /// Sends a request and hands the final answer to `receiver` as it arrives.
  ///
  /// Redirects are followed as the request's policy says, their bodies are dropped. Every status
  /// counts as an answer. Cancelling the task ends the transfer at once.
  ///
  /// - Returns: the head of the final answer, once its body is complete.
  package func send(
    _ request: HTTPRequest, to receiver: any BodyReceiver
  ) async throws(HTTPError) -> HTTPResponse {
    var request = request
    var redirects = 0
    while true {
      let url = try RequestURL(request.url)
      if url.scheme == "file", request.policy.allowsLocalFile, redirects == 0 {
        return try await sendLocalFile(request, url: url, to: receiver)
      }
      guard ["http", "https"].contains(url.scheme) else { throw .unsupportedScheme(url.scheme) }
      let outcome = try await transfer(request, url: url, to: receiver)
      guard Redirect.isRedirect(status: outcome.response.status) else { return outcome.response }
      request = try Redirect.next(to: outcome.redirect, from: request, count: redirects)
      redirects += 1
    }
  }

  /// Sends a request and collects the body.
  ///
  /// - Parameters:
  ///   - request: what to ask.
  ///   - limit: the most bytes the body may have.
  /// - Returns: the head of the final answer, whatever its status, and its body.
  /// - Throws: why there is no complete answer.
  package func data(
    for request: HTTPRequest, limit: Int = 8 << 20
  ) async throws(HTTPError) -> (response: HTTPResponse, body: [UInt8]) {
    var request = request
    request.maximumBody = limit
    let collector = BodyCollector()
    let response = try await send(request, to: collector)
    return (response, collector.bytes)
  }

  private func transfer(
    _ request: HTTPRequest, url: RequestURL, to receiver: any BodyReceiver
  ) async throws(HTTPError) -> Transfer.Outcome {
    let thread = try startedThread()
    let current = Lock<Transfer?>(nil)
    let result: Result<Transfer.Outcome, HTTPError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let transfer = Transfer(request: request, url: url, receiver: receiver) { result in
          continuation.resume(returning: result)
        }
        current.withLock { $0 = transfer }
        thread.add(transfer)
        if Task.isCancelled { thread.cancel(transfer) }  // It may have come before there was one.
      }
    } onCancel: {
      current.withLock { $0 }.map { thread.cancel($0) }
    }
    return try result.get()
  }

  private func sendLocalFile(
    _ request: HTTPRequest, url: RequestURL, to receiver: any BodyReceiver
  ) async throws(HTTPError) -> HTTPResponse {
    let threads = fileThread.withLock { threads in
      let started = threads ?? BlockingThreads()
      threads = started
      return started
    }
    let isCanceled = Flag()
    let result: Result<HTTPResponse, HTTPError> = await withTaskCancellationHandler {
      await threads.run {
        Result { () throws(HTTPError) in
          try LocalFile.send(request, url: url, to: receiver) { isCanceled.isSet }
        }
      }
    } onCancel: {
      isCanceled.set()
    }
    return try result.get()
  }

  private func startedThread() throws(HTTPError) -> TransferThread {
    try thread.withLock { thread throws(HTTPError) in
      if let thread { return thread }
      let started = try TransferThread(configuration: configuration)
      thread = started
      return started
    }
  }
}

/// Something that has happened, told from one thread to another.
private final class Flag: Sendable {
  private let value = Atomic(false)
  var isSet: Bool { value.load(ordering: .relaxed) }
  func set() { value.store(true, ordering: .relaxed) }
}

/// Keeps a body in memory.
private final class BodyCollector: BodyReceiver {
  private let collected = Lock<[UInt8]>([])

  var bytes: [UInt8] { collected.withLock { $0 } }

  func receive(head: HTTPResponse) -> Bool { true }

  func receive(bytes: Span<UInt8>) -> Bool {
    collected.withLock { collected in
      for index in bytes.indices { collected.append(bytes[index]) }
    }
    return true
  }
}
