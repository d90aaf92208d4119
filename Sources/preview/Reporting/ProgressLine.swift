import PreviewDownloads

/// Composes the one line that shows how the transfers are doing.
struct ProgressLine {
  /// What there is to say.
  struct Status: Equatable {
    /// Of the transfer that is shown.
    var name: String
    var state: DownloadState
    /// Bytes a second; nil while that is not known.
    var rate: Double?
    /// How many tracks are through, and how many there are.
    var done = 0
    var count = 1
  }

  /// - Parameters:
  ///   - status: what to show.
  ///   - width: the terminal's columns; the line takes fewer, so that it never wraps.
  /// - Returns: the line, without a line end.
  static func text(_ status: Status, width: Int) -> String {
    let room = width - 1
    let count = status.count > 1 ? "[\(status.done)/\(status.count) done] " : ""
    let details = details(status)
    let hint = "  " + keys(status.state)
    let name = DisplayText.clean(status.name)
    // What does not fit goes, the least important first: the bar, the keys, the name's end.
    var free = room - DisplayText.width(count) - DisplayText.width(details) - 1
    let hasHint = free - hint.count >= 12
    if hasHint { free -= hint.count }
    let bar = bar(status.state, columns: 10)
    let hasBar = !bar.isEmpty && free - DisplayText.width(bar) >= min(16, DisplayText.width(name))
    if hasBar { free -= DisplayText.width(bar) }
    let text =
      count + DisplayText.cut(name, to: min(32, max(0, free))) + " " + (hasBar ? bar : "")
      + details + (hasHint ? hint : "")
    return DisplayText.cut(text, to: max(0, room))
  }

  private static func details(_ status: Status) -> String {
    switch status.state {
    case .waiting: return "waiting"
    case .finished: return "done"
    case .failed(let failure, _): return "failed: \(failure.reason.rawValue)"
    case .paused(let progress): return "paused at \(amount(progress))"
    case .downloading(let progress):
      guard let rate = status.rate, rate > 0 else { return amount(progress) }
      let left = progress.expected.map { Double($0 - progress.received) / rate }
      return [
        amount(progress), bytes(Int(rate)) + "/s", left.map { "\(Int($0.rounded(.up))) s left" },
      ]
      .compactMap { $0 }.joined(separator: "  ")
    }
  }

  private static func keys(_ state: DownloadState) -> String {
    switch state {
    case .waiting: "c cancels, q leaves"
    case .downloading: "space pauses, c cancels, q leaves"
    case .paused: "space resumes, c cancels, q leaves"
    case .failed: "space retries, q leaves"
    case .finished: ""
    }
  }

  private static func bar(_ state: DownloadState, columns: Int) -> String {
    guard let progress = state.progress, let expected = progress.expected, expected > 0 else {
      return ""
    }
    let full = min(columns, progress.received * columns / expected)
    return String(repeating: "█", count: full) + String(repeating: "░", count: columns - full) + " "
  }

  private static func amount(_ progress: PreviewDownloads.Progress) -> String {
    guard let expected = progress.expected, expected > 0 else { return bytes(progress.received) }
    return "\(progress.received * 100 / expected) %"
  }

  /// Such as `812 B`, `64 kB`, `1.2 MB`, in thousands.
  static func bytes(_ count: Int) -> String {
    switch count {
    case ..<1000: "\(count) B"
    case ..<1_000_000: "\(count / 1000) kB"
    default: "\(count / 1_000_000).\(count % 1_000_000 / 100_000) MB"
    }
  }
}
