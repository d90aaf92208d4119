/// The states of one download and what leads from one to another; it does nothing itself.
struct DownloadMachine: Equatable {
  /// What a person, or the running transfer, says.
  enum Event: Equatable {
    case download, pause, resume, cancel, retry, redownload, remove
    /// Bytes have arrived.
    case progressed(Progress)
    /// What was here is of no use: the count begins again.
    case restarted(Progress)
    case completed(FinishedClip)
    case failed(DownloadFailure)
  }

  /// What is to be done about it.
  enum Action: Equatable {
    case none
    /// Begin to fetch, or go on where it stopped.
    case start
    /// Fetch anew, though the clip is here; it stays until the new one is complete.
    case startOver
    /// Stop fetching and keep the bytes.
    case stop
    /// Stop fetching if it runs, and drop the bytes.
    case discard
    /// Delete the finished clip.
    case delete
  }

  private(set) var state: DownloadState

  init(state: DownloadState = .waiting) { self.state = state }

  /// Moves to the next state; what makes no sense in the current one changes nothing.
  mutating func handle(_ event: Event) -> Action {
    switch (state, event) {
    case (.waiting, .download):
      return move(to: .downloading(Progress()), .start)
    case (.paused(let progress), .resume), (.paused(let progress), .download),
      (.failed(_, let progress), .retry), (.failed(_, let progress), .download):
      return move(to: .downloading(progress), .start)
    case (.finished, .redownload):
      return move(to: .downloading(Progress()), .startOver)
    case (.downloading(let progress), .pause):
      return move(to: .paused(progress), .stop)
    case (.downloading, .cancel), (.paused, .cancel), (.failed, .cancel):
      return move(to: .waiting, .discard)
    case (.finished, .remove):
      return move(to: .waiting, .delete)

    case (.downloading(let before), .progressed(let progress)):
      return progress.received < before.received ? .none : move(to: .downloading(progress), .none)
    case (.downloading, .restarted(let progress)):
      return move(to: .downloading(progress), .none)
    case (.downloading(let progress), .failed(let failure)):
      return move(to: .failed(failure, progress), .none)
    case (.downloading, .completed(let clip)):
      return move(to: .finished(clip), .none)
    case (.paused, .completed(let clip)), (.waiting, .completed(let clip)):
      // The last byte was here before the wish to stop was: the file is in place.
      return move(to: .finished(clip), .none)

    default:
      return .none
    }
  }

  private mutating func move(to next: DownloadState, _ action: Action) -> Action {
    state = next
    return action
  }
}
