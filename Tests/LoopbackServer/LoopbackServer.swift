import Glibc
import PreviewThreads

/// A server on 127.0.0.1 that answers as a test scripts it, records every request, and stops with
/// its last reference.
package final class LoopbackServer: Sendable {
  package let port: UInt16
  private let listener: Socket
  private let log = RequestLog()

  /// Starts to listen; `answer` says what goes over the wire, and is called on the connection's thread.
  package init(answer: @escaping @Sendable (Request) -> Answer) throws {
    let listener = try Socket.listening()
    self.listener = listener
    port = listener.port
    let log = log
    startThread {
      while let connection = listener.accept() {
        startThread { Connection(socket: connection, log: log, answer: answer).serve() }
      }
    }
  }

  deinit { stop() }

  /// Closes the listening socket and every connection.
  package func stop() {
    listener.shutDown()
    log.closeAll()
  }

  package func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

  /// Every request so far, in the order they came.
  package var requests: [Request] { log.requests }

  /// How many connections were accepted so far.
  package var connectionCount: Int { log.connectionCount }

  /// Waits until `count` requests have come.
  package func waitForRequests(_ count: Int) async {
    await log.wait(for: count)
  }
}

/// What the connections' threads share.
final class RequestLog: Sendable {
  private struct State {
    var requests: [Request] = []
    var sockets: [Socket] = []
    var counts: [String: Int] = [:]
    var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    var isClosed = false
  }

  private let state = Lock(State())

  var requests: [Request] { state.withLock { $0.requests } }
  var connectionCount: Int { state.withLock { $0.sockets.count } }

  /// False where the server has stopped.
  func add(_ socket: Socket) -> Bool {
    state.withLock { state in
      state.sockets.append(socket)
      return !state.isClosed
    }
  }

  /// Records a request and numbers it among those for its path.
  func record(_ request: Request) -> Request {
    state.withLock { state in
      var request = request
      request.ordinal = state.counts[request.path, default: 0]
      state.counts[request.path] = request.ordinal + 1
      state.requests.append(request)
      let count = state.requests.count
      for waiter in state.waiting where waiter.count <= count { waiter.continuation.resume() }
      state.waiting.removeAll { $0.count <= count }
      return request
    }
  }

  func wait(for count: Int) async {
    await withCheckedContinuation { continuation in
      state.withLock { state in
        if state.requests.count >= count {
          continuation.resume()
        } else {
          state.waiting.append((count, continuation))
        }
      }
    }
  }

  func closeAll() {
    let sockets = state.withLock { state in
      state.isClosed = true
      return state.sockets
    }
    for socket in sockets { socket.shutDown() }
  }
}

/// One client's connection: reads requests and carries out the steps of their answers.
struct Connection {
  let socket: Socket
  let log: RequestLog
  let answer: @Sendable (Request) -> Answer

  func serve() {
    guard log.add(socket) else { return socket.shutDown() }
    while let head = socket.readHead(), let request = Request(head: head) {
      for step in answer(log.record(request)).steps {
        guard carryOut(step) else { return }
      }
    }
    socket.shutDown()
  }

  /// False where the connection is over.
  private func carryOut(_ step: Answer.Step) -> Bool {
    switch step {
    case .send(let bytes):
      return socket.send(bytes)
    case .wait(let gate):
      gate.wait()
      return true
    case .run(let body):
      body()
      return true
    case .close:
      socket.shutDown()
      return false
    case .reset:
      socket.reset()
      return false
    case .stall:
      socket.waitForClose()
      return false
    }
  }
}
