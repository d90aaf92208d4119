import PreviewThreads

/// What was asked of a clip while it plays, and how far it is: shared by the thread that plays and by
/// those that ask.
final class PlayControl: Sendable {
  /// Wishes that were not yet fulfilled.
  struct Wishes {
    var isStopped = false
    var isPaused = false
    /// Where to go on, in seconds, and whether that counts from the present position.
    var seek: (seconds: Double, isRelative: Bool)?
    var volumeChange = 0
    var togglesMute = false
  }

  /// How far the clip is, as of a moment.
  struct Progress {
    var seconds = 0.0
    /// Where the samples end that the server has.
    var limit = 0.0
    var isMoving = false
    var moment = Moment.now
  }

  private let wishes = Lock(Wishes())
  private let progress = Lock(Progress())
  private let doorbell: Doorbell

  init(doorbell: Doorbell) {
    self.doorbell = doorbell
  }

  /// Changes the wishes and wakes the thread that plays.
  func wish(_ change: (inout Wishes) -> Void) {
    wishes.withLock { change(&$0) }
    doorbell.ring()
  }

  var isStopped: Bool { wishes.withLock { $0.isStopped } }
  var isPaused: Bool { wishes.withLock { $0.isPaused } }

  /// The wishes; those that are for once are gone afterwards.
  func takeWishes() -> Wishes {
    wishes.withLock { wishes in
      let taken = wishes
      wishes.seek = nil
      wishes.volumeChange = 0
      wishes.togglesMute = false
      return taken
    }
  }

  func publish(_ newProgress: Progress) {
    progress.withLock { $0 = newProgress }
  }

  /// The position in seconds, carried on from the last published one.
  var position: Double {
    let progress = progress.withLock { $0 }
    guard progress.isMoving else { return progress.seconds }
    let now = progress.seconds + Moment.now.seconds(since: progress.moment)
    return min(now, max(progress.limit, progress.seconds))
  }
}
