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
    let count = status.count > 1 ? "[\(status.done + 1)/\(status.count)] " : ""
    let right = details(status)
    let hint = "  " + keys(status.state)
    // What does not fit goes, the least important first: the keys, the bar, then the name's end.
    let isRoomy = room >= 30 + count.count + DisplayText.width(right) + hint.count + 16
    let bar = isRoomy || room >= 60 ? bar(status.state, columns: 16) : ""
    let fixed = count + bar + right + (isRoomy ? hint : "")
    let name = DisplayText.fitted(
      DisplayText.clean(status.name), to: min(40, max(0, room - DisplayText.width(fixed) - 1)))
    return DisplayText.cut(
      count + name + " " + bar + right + (isRoomy ? hint : ""), to: max(0, room))
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
    case .failed: "space retries, c cancels, q leaves"
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
