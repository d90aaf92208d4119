/// The states of one download as they follow each other, for any number of subscribers.
///
/// A late subscriber first gets the current state; equal states do not repeat; the stream ends after
/// a terminal one and opens again when the download goes on.
struct StateStream {
  private(set) var current: DownloadState
  private var isEnded = false
  private var subscribers: [AsyncStream<DownloadState>.Continuation] = []

  init(current: DownloadState) { self.current = current }

  /// Adds a subscriber.
  mutating func subscribe() -> AsyncStream<DownloadState> {
    let (stream, continuation) = AsyncStream<DownloadState>.makeStream()
    continuation.yield(current)
    if isEnded {
      continuation.finish()
    } else {
      subscribers.append(continuation)
    }
    return stream
  }

  /// Tells of a state; a terminal one ends the stream.
  mutating func publish(_ state: DownloadState, isTerminal: Bool) {
    if state != current {
      current = state
      for subscriber in subscribers { subscriber.yield(state) }
    }
    isEnded = isTerminal
    guard isTerminal else { return }
    for subscriber in subscribers { subscriber.finish() }
    subscribers = []
  }
}
