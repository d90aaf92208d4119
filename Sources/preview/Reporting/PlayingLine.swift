/// Composes the line that shows what is playing.
struct PlayingLine {
  /// - Parameters:
  ///   - name: of the track.
  ///   - position: seconds from the clip's start.
  ///   - duration: seconds of the clip.
  ///   - isPaused: whether it stands still.
  ///   - volume: in percent; nil where it is not known.
  ///   - isMuted: whether it is silenced.
  ///   - width: the terminal's columns; the line takes fewer.
  /// - Returns: the line, without a line end.
  static func text(
    _ name: String, position: Double, duration: Double, isPaused: Bool, volume: Int? = nil,
    isMuted: Bool = false, width: Int
  ) -> String {
    let room = width - 1
    let loudness = isMuted ? "  muted" : volume.map { $0 == 100 ? "" : "  volume \($0) %" } ?? ""
    let times = "  \(clock(position)) / \(clock(duration))" + loudness
    let keys = "  space \(isPaused ? "plays" : "pauses"), q leaves"
    let mark = isPaused ? "⏸ " : "▶ "
    let fixed = DisplayText.width(mark + times)
    let isRoomy = room >= fixed + DisplayText.width(keys) + 20
    let free = room - fixed - (isRoomy ? DisplayText.width(keys) : 0)
    let title = DisplayText.cut(DisplayText.clean(name), to: max(0, free))
    return DisplayText.cut(mark + title + times + (isRoomy ? keys : ""), to: max(0, room))
  }

  private static func clock(_ seconds: Double) -> String {
    Timestamp.clock(max(0, Int(seconds)))
  }
}
