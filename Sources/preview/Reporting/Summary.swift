import PreviewDownloads

/// Counts what became of the tracks of one command.
struct Summary {
  /// Downloaded now.
  var finished = 0
  var failed = 0
  /// There before.
  var present = 0
  /// Bytes downloaded now.
  var bytes = 0
  private let begin = ContinuousClock.now

  /// Seconds since the command began.
  var seconds: Double { (ContinuousClock.now - begin) / .seconds(1) }

  mutating func add(_ clip: FinishedClip) {
    let isPresent = clip.resumedFrom == clip.byteCount
    if isPresent { present += 1 } else { finished += 1 }
    bytes += clip.byteCount - clip.resumedFrom
  }
}
