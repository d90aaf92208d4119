import Glibc
import PreviewThreads
import Synchronization

/// Plays clips through a PulseAudio server, or PipeWire's in its place.
///
/// One clip plays at a time; a second call of `play` waits for the first. Every other call returns at
/// once, from any thread, and does nothing while no clip plays.
public final class Player: Sendable {
  /// How playing ended.
  public enum Ending: Sendable, Equatable {
    /// The last sample was heard.
    case finished
    /// `stop`, the cancellation of the task, or someone in the desktop's mixer ended it.
    case interrupted
  }

  private let settings: PlayerSettings
  private let thread = BlockingThreads()
  private let doorbell = Doorbell()
  private let connection = Lock<PulseConnection?>(nil)
  /// The clip that plays, or is about to, then those that wait.
  private let controls = Lock<[PlayControl]>([])

  /// Makes a player.
  ///
  /// It connects to the server with the first clip, or when told to `prepare`.
  ///
  /// - Parameter settings: where and as whom to play.
  public init(_ settings: PlayerSettings) {
    self.settings = settings
  }

  /// Connects to the server ahead of the first clip.
  ///
  /// - Throws: why there is no server; the next `play` tries again.
  public func prepare() async throws(PlaybackError) {
    let isCanceled = Cancellation()
    let result: Result<Void, PlaybackError> = await withTaskCancellationHandler {
      await thread.run { () -> Result<Void, PlaybackError> in
        Result { () throws(PlaybackError) in
          try isCanceled.check()
          guard try self.connected(unless: isCanceled) != nil else { throw .canceled }
        }
      }
    } onCancel: {
      isCanceled.cancel()
      doorbell.ring()
    }
    try result.get()
  }

  /// Plays a clip to its end.
  ///
  /// - Parameters:
  ///   - clip: what to play; more than two channels are mixed to stereo.
  ///   - title: the clip's, for the desktop's mixer.
  ///   - artist: the clip's, for the desktop's mixer.
  /// - Returns: how it ended. A canceled task interrupts it at once.
  /// - Throws: why the server does not play it, or no longer.
  public func play(
    _ clip: AudioClip, title: String = "", artist: String = ""
  ) async throws(PlaybackError) -> Ending {
    let control = PlayControl(doorbell: doorbell)
    controls.withLock { $0.append(control) }
    defer { controls.withLock { $0.removeAll { $0 === control } } }
    let result: Result<Ending, PlaybackError> = await withTaskCancellationHandler {
      await thread.run { () -> Result<Ending, PlaybackError> in
        Result { () throws(PlaybackError) in
          try self.perform(clip, title: title, artist: artist, control)
        }
      }
    } onCancel: {
      control.wish { $0.isStopped = true }
    }
    return try result.get()
  }

  /// Pauses the clip where it is.
  public func pause() { wish { $0.isPaused = true } }

  /// Goes on after a pause.
  public func resume() { wish { $0.isPaused = false } }

  /// Pauses, or goes on.
  public func togglePause() { wish { $0.isPaused.toggle() } }

  /// Ends the clip; `play` returns `interrupted`.
  public func stop() { wish { $0.isStopped = true } }

  /// Goes on elsewhere in the clip; beyond its end, it ends.
  ///
  /// - Parameter seconds: forward from the present position, or back where less than 0.
  public func seek(by seconds: Double) {
    wish { wishes in
      wishes.seek = ((wishes.seek?.seconds ?? 0) + seconds, wishes.seek?.isRelative ?? true)
    }
  }

  /// Goes on elsewhere in the clip.
  ///
  /// - Parameter seconds: from the clip's start.
  public func seek(to seconds: Double) { wish { $0.seek = (seconds, false) } }

  /// Makes the clip louder or quieter.
  ///
  /// - Parameter percent: is added to the volume, which stays between 0 and 100.
  public func changeVolume(by percent: Int) { wish { $0.volumeChange += percent } }

  /// Silences the clip, or lets it be heard again.
  public func toggleMute() { wish { $0.togglesMute.toggle() } }

  /// What is heard now, in seconds from the clip's start; nil while no clip plays.
  public var position: Double? { playing?.position }

  /// Whether the clip is paused; `false` while no clip plays.
  public var isPaused: Bool { playing?.isPaused ?? false }

  /// The volume in percent of the scale that mixers show; nil until the server has told.
  public var volume: Int? {
    let percent = connection.withLock { $0?.signals.volume.load(ordering: .relaxed) } ?? -1
    return percent < 0 ? nil : percent
  }

  /// Whether the clip is silenced.
  public var isMuted: Bool {
    connection.withLock { $0?.signals.isMuted.load(ordering: .relaxed) } ?? false
  }

  private var playing: PlayControl? { controls.withLock { $0.first } }

  private func wish(_ change: (inout PlayControl.Wishes) -> Void) { playing?.wish(change) }

  // What follows runs on the player's thread.

  private func perform(
    _ clip: AudioClip, title: String, artist: String, _ control: PlayControl
  ) throws(PlaybackError) -> Ending {
    if control.isStopped { return .interrupted }
    guard let connection = try connected() else { return .interrupted }
    let playable = StereoMix.playable(clip)
    let stream = try PulseStream(
      playable.format, properties: settings.streamProperties(title: title, artist: artist),
      on: connection)
    var loop = PlayLoop(
      clip: playable, stream: stream, connection: connection, control: control, settings: settings)
    return try loop.run()
  }

  /// A ready connection: the present one, else a new one; nil where `stop` or the cancellation came
  /// first.
  private func connected(
    unless isCanceled: Cancellation = Cancellation()
  ) throws(PlaybackError) -> PulseConnection? {
    if let present = connection.withLock({ $0 }), present.state == .ready { return present }
    connection.withLock { $0 = nil }
    try checkRuntimeDirectory()
    let pulse = try Pulse.loaded.get()
    let new = PulseConnection(settings, pulse: pulse, doorbell: doorbell)
    let deadline = Moment.now + settings.answerLimit
    while true {
      switch new.state {
      case .ready:
        new.watchVolumes()
        connection.withLock { $0 = new }
        return new
      case .failed(let code):
        throw .soundServerUnavailable(
          tried: settings.searchedAddress, reason: pulse.message(for: code))
      case .connecting where Moment.now >= deadline:
        throw .soundServerUnavailable(
          tried: settings.searchedAddress,
          reason: "no answer within \(settings.answerLimit.seconds) s")
      case .connecting:
        if playing?.isStopped == true || isCanceled.isCanceled { return nil }
        doorbell.sleep(until: deadline)
      }
    }
  }

  /// Another user's runtime directory would make libpulse print a line of its own.
  private func checkRuntimeDirectory() throws(PlaybackError) {
    guard settings.server == nil, let path = settings.runtimeDirectory else { return }
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_uid != geteuid() else { return }
    throw .foreignRuntimeDirectory(path: path, isRoot: geteuid() == 0)
  }
}
