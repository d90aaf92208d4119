import CPulse
import Synchronization

/// Plays one clip: hands the server samples whenever it wants some, and does what is asked meanwhile.
///
/// It sleeps on the doorbell and looks at everything whenever that rings, so no event is missed, and
/// nothing is polled.
struct PlayLoop {
  private let clip: AudioClip
  private let stream: PulseStream
  private let connection: PulseConnection
  private let control: PlayControl
  private let settings: PlayerSettings

  /// The frame to write next; beyond the clip's end there is silence.
  private var next = 0
  /// Where the last seek led: no frame before it is in the server's buffer.
  private var segmentStart = 0
  /// The frame that is heard.
  private var heard = 0
  private var isPaused = false
  /// Whether samples were written since the start or the last seek, and the stream uncorked.
  private var hasFed = false
  /// When to stop waiting until the end is heard; nil while there is something to write.
  private var drainDeadline: Moment?
  /// When the server last took samples, or nobody wanted it to.
  private var lastProgress = Moment.now

  /// Silence behind the last sample: PipeWire's server may lose what comes last.
  private static let trailingSeconds = 0.1
  /// How much longer than its buffer lasts the server may take to say that all was heard.
  private static let drainGrace = Duration.milliseconds(500)
  /// Longer than anybody pauses.
  private static let forever = Duration.seconds(86_400)

  init(
    clip: AudioClip, stream: PulseStream, connection: PulseConnection, control: PlayControl,
    settings: PlayerSettings
  ) {
    self.clip = clip
    self.stream = stream
    self.connection = connection
    self.control = control
    self.settings = settings
  }

  /// Behind the last frame to write.
  private var end: Int {
    clip.frameCount + Int(Double(clip.format.sampleRate) * Self.trailingSeconds)
  }

  /// Plays until the last sample was heard, or something ended it before.
  mutating func run() throws(PlaybackError) -> Player.Ending {
    let deadline = Moment.now + settings.answerLimit
    var hasStarted = false
    while true {
      if control.isStopped { return .interrupted }
      switch stream.state {
      case .failed(Int32(PA_ERR_KILLED.rawValue)):
        guard hasDevice() else { throw .noOutputDevice }
        return .interrupted
      case .failed(let code):
        throw failure(code, hasStarted: hasStarted)
      case .connecting:
        guard Moment.now < deadline else {
          throw .soundServerUnavailable(
            tried: settings.searchedAddress, reason: "no answer when asked for a stream")
        }
        connection.signals.doorbell.sleep(until: deadline)
      case .ready:
        if !hasStarted {
          hasStarted = true
          lastProgress = .now
          connection.requestVolume(of: stream.index)
        }
        if try playOn() { return .finished }
        connection.signals.doorbell.sleep(until: nextMoment)
      }
    }
  }

  /// Whether the server has a device to play to: it also ends a stream whose last one is gone.
  private func hasDevice() -> Bool {
    let signals = connection.signals
    let deadline = Moment.now + settings.answerLimit
    connection.countDevices()
    while connection.state == .ready && Moment.now < deadline && !control.isStopped {
      let count = signals.deviceCount.load(ordering: .relaxed)
      if count >= 0 { return count > 0 }
      signals.doorbell.sleep(until: deadline)
    }
    return true
  }

  /// What a failed stream means, by libpulse's error code.
  private func failure(_ code: Int32, hasStarted: Bool) -> PlaybackError {
    let reason = connection.pulse.message(for: code)
    return if code == Int32(PA_ERR_NOENTITY.rawValue) {
      .noOutputDevice
    } else if hasStarted || connection.state != .ready {
      .soundServerLost(atSeconds: seconds(heard), reason: reason)
    } else {
      .outputRefused(reason: reason)
    }
  }

  /// Does what is asked, then what the server asks; true once the last sample was heard.
  private mutating func playOn() throws(PlaybackError) -> Bool {
    let wishes = control.takeWishes()
    followVolume(wishes)
    if let seek = wishes.seek {
      move(to: (seek.isRelative ? seconds(heard) : 0) + seek.seconds)
    }
    if wishes.isPaused != isPaused { pause(wishes.isPaused) }
    if !isPaused {
      if next < end { try feed() }
      if next == end, try isHeard() { return true }
    }
    publish()
    return false
  }

  // MARK: Wishes

  private func followVolume(_ wishes: PlayControl.Wishes) {
    let signals = connection.signals
    if signals.volumeIsStale.exchange(false, ordering: .relaxed) {
      connection.requestVolume(of: stream.index)
    }
    let volume = signals.volume.load(ordering: .relaxed)
    if wishes.volumeChange != 0, volume >= 0 {
      // Above 100 only where the desktop's mixer led there.
      let new = max(0, min(max(100, volume), volume + wishes.volumeChange))
      signals.volume.store(new, ordering: .relaxed)
      connection.setVolume(new, of: stream.index, channelCount: clip.format.channelCount)
    }
    if wishes.togglesMute {
      let isMuted = !signals.isMuted.load(ordering: .relaxed)
      signals.isMuted.store(isMuted, ordering: .relaxed)
      connection.setMuted(isMuted, of: stream.index)
    }
  }

  private mutating func pause(_ isPaused: Bool) {
    self.isPaused = isPaused
    // A corked stream never answers.
    stopDraining()
    stream.cork(isPaused || !hasFed)
    lastProgress = .now
  }

  /// Goes on at another place: what the server has is dropped, what it gets next is from there.
  private mutating func move(to position: Double) {
    guard !position.isNaN else { return }
    let target = max(0, min(seconds(clip.frameCount), position)) * Double(clip.format.sampleRate)
    stopDraining()
    stream.cork(true)
    stream.flush()
    next = Int(target)
    segmentStart = next
    heard = next
    hasFed = false
    lastProgress = .now
  }

  // MARK: Samples

  /// Writes as much as the server wants.
  private mutating func feed() throws(PlaybackError) {
    let clip = clip  // Borrowed samples would keep the whole loop from changing.
    let wanted = stream.writableFrames
    guard wanted > 0 else { return try checkForStall() }
    let channelCount = clip.format.channelCount
    let sound = max(0, min(wanted, clip.frameCount - next))
    if sound > 0 {
      let start = next * channelCount
      let samples = clip.samples.span.extracting(start..<start + sound * channelCount)
      guard stream.write(samples) else { return }
      next += sound
    }
    let silence = min(wanted - sound, end - next)
    if silence > 0 {
      guard stream.write([Float](repeating: 0, count: silence * channelCount).span) else { return }
      next += silence
    }
    lastProgress = .now
    if !hasFed {
      hasFed = true
      stream.cork(false)
    }
  }

  /// Whether everything that was written has been heard; asks the server to tell.
  private mutating func isHeard() throws(PlaybackError) -> Bool {
    if stream.isSuspended {
      // A suspended stream never answers.
      stopDraining()
      try checkForStall()
      return false
    }
    guard let deadline = drainDeadline else {
      let rest = stream.latencyFrames.map { seconds($0) } ?? PulseStream.bufferedSeconds
      drainDeadline = Moment.now + Self.drainGrace + .seconds(rest)
      lastProgress = .now
      stream.startDraining()
      return false
    }
    return stream.isDrained || Moment.now >= deadline
  }

  private mutating func stopDraining() {
    stream.stopDraining()
    drainDeadline = nil
  }

  private func checkForStall() throws(PlaybackError) {
    guard Moment.now >= lastProgress + settings.stallLimit else { return }
    if stream.isSuspended { throw .outputSuspended(seconds: settings.stallLimit.seconds) }
    throw .soundServerLost(atSeconds: seconds(heard), reason: "it takes no more samples")
  }

  /// When to look again although nothing rang.
  private var nextMoment: Moment {
    isPaused ? .now + Self.forever : drainDeadline ?? lastProgress + settings.stallLimit
  }

  /// Says how far the clip is.
  private mutating func publish() {
    if let latency = stream.latencyFrames {
      heard = min(clip.frameCount, max(segmentStart, next - latency))
    }
    control.publish(
      PlayControl.Progress(
        seconds: seconds(heard), limit: seconds(min(next, clip.frameCount)),
        isMoving: hasFed && !isPaused && !stream.isSuspended, moment: .now))
  }

  private func seconds(_ frames: Int) -> Double {
    Double(frames) / Double(clip.format.sampleRate)
  }
}
