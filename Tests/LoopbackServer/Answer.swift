import PreviewThreads

/// What goes over the wire for one request, step by step.
package struct Answer: Sendable {
  package enum Step: Sendable {
    case send([UInt8])
    /// Waits until the test opens the gate.
    case wait(Gate)
    /// Calls back, on the connection's thread.
    case run(@Sendable () -> Void)
    /// Ends the connection in order.
    case close
    /// Ends the connection with RST.
    case reset
    /// Says nothing more until the client leaves.
    case stall
  }

  package var steps: [Step]

  package init(_ steps: [Step]) { self.steps = steps }

  /// A head and a body, with a `Content-Length` unless `headers` hold one.
  package init(
    status: Int = 200, _ headers: [String: String] = [:], body: [UInt8] = []
  ) {
    var headers = headers
    if headers["Content-Length"] == nil && headers["Transfer-Encoding"] == nil {
      headers["Content-Length"] = String(body.count)
    }
    self.init([.send(Self.head(status: status, headers)), .send(body)])
  }

  package init(status: Int = 200, _ headers: [String: String] = [:], text: String) {
    self.init(status: status, headers, body: Array(text.utf8))
  }

  /// Whatever bytes the test likes.
  package init(raw text: String, then step: Step = .close) {
    self.init([.send(Array(text.utf8)), step])
  }

  package static func redirect(to location: String, status: Int = 302) -> Answer {
    Answer(status: status, ["Location": location], text: "moved")
  }

  package static func head(status: Int, _ headers: [String: String]) -> [UInt8] {
    let fields = headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\r\n" }
    return Array("HTTP/1.1 \(status) \(status)\r\n\(fields.joined())\r\n".utf8)
  }

  /// The same answer, but only so many bytes of the body, and then `step`.
  package func cut(after count: Int, then step: Step = .close) -> Answer {
    guard case .send(let body) = steps.last else { return self }
    return Answer(steps.dropLast() + [.send(Array(body.prefix(count))), step])
  }

  /// The same answer with a wait behind the first `count` bytes of the body.
  package func paused(after count: Int, until gate: Gate) -> Answer {
    guard case .send(let body) = steps.last else { return self }
    return Answer(
      steps.dropLast() + [
        .send(Array(body.prefix(count))), .wait(gate), .send(Array(body.dropFirst(count))),
      ])
  }
}

/// Holds an answer back until a test opens it.
package final class Gate: Sendable {
  private let semaphore = Semaphore()

  package init() {}

  package func open() { semaphore.signal() }

  func wait() {
    semaphore.wait()
    semaphore.signal()  // Once open, it is open for all.
  }
}
