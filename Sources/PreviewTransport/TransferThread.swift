import CCurl
import PreviewThreads
import Synchronization

/// The thread that owns the multi handle; others hand transfers over and are told of their end.
final class TransferThread: Sendable {
  private enum Command {
    case add(Transfer)
    case cancel(Transfer)
    case stop
  }

  private struct Commands {
    var pending: [Command] = []
    var isStopped = false
  }

  private let commands = Lock(Commands())
  private let multi: MultiHandle

  init(configuration: HTTPClient.Configuration) throws(HTTPError) {
    _ = try CurlLibrary.functions()
    multi = try MultiHandle(configuration: configuration)
    startThread { [self] in
      var loop = TransferLoop(multi: multi, configuration: configuration)
      while run(&loop) { loop.turn() }
      loop.cancelAll()
    }
  }

  func add(_ transfer: Transfer) { send(.add(transfer)) }

  func cancel(_ transfer: Transfer) {
    transfer.isCanceled.store(true, ordering: .relaxed)
    send(.cancel(transfer))
  }

  /// Cancels what runs and ends the thread.
  func stop() { send(.stop) }

  private func send(_ command: Command) {
    let isTooLate = commands.withLock { commands in
      if !commands.isStopped { commands.pending.append(command) }
      if case .stop = command { commands.isStopped = true }
      return commands.isStopped
    }
    if isTooLate, case .add(let transfer) = command { transfer.finish(.failure(.canceled)) }
    multi.wake()
  }

  /// Carries out what others asked for; false when the thread is to end.
  private func run(_ loop: inout TransferLoop) -> Bool {
    let pending = commands.withLock { commands in
      defer { commands.pending = [] }
      return commands.pending
    }
    for command in pending {
      switch command {
      case .add(let transfer): loop.admit(transfer)
      case .cancel(let transfer): loop.cancel(transfer)
      case .stop: return false
      }
    }
    return true
  }
}
