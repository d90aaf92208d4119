import PreviewDownloads

extension Batch {
  /// Something asked for, on its way.
  enum Entry: Sendable {
    case download(Download)
    /// A file that is used where it lies.
    case file(ClipSource, FinishedClip)
    case failed(ExitCode)
  }

  /// What a command does with finished clips, and what else it listens to.
  struct Use: Sendable {
    /// Called for each clip in the order asked for; `.done` unless something went wrong.
    var finished: @Sendable (ClipSource, FinishedClip) async -> ExitCode
    /// Takes a key before the transfers do; false where it means nothing now.
    var takesKey: @Sendable (Key) -> Bool = { _ in false }
    /// Called when the person or a signal ends the command.
    var leave: @Sendable () -> Void = {}
    /// Whether a count of what happened follows in JSON.
    var hasSummary = false
  }
}
