import CPulse
import Synchronization

/// What libpulse's callbacks leave for the thread that plays.
///
/// They run on libpulse's own thread while it holds its lock, so they do nothing but store a number and
/// ring: what happened, the woken thread asks libpulse itself.
final class PulseSignals: Sendable {
  let doorbell: Doorbell
  /// The stream's volume in percent; -1 where it is not known.
  let volume = Atomic(-1)
  let isMuted = Atomic(false)
  /// Whether the volume was changed elsewhere, for instance in the desktop's mixer.
  let volumeIsStale = Atomic(false)
  /// How many devices the server has; -1 while it has not told.
  let deviceCount = Atomic(-1)
  private let devicesSoFar = Atomic(0)

  init(doorbell: Doorbell) {
    self.doorbell = doorbell
  }

  /// The signals behind the user data of a callback.
  static func behind(_ userData: UnsafeMutableRawPointer?) -> PulseSignals? {
    guard let userData = unsafe userData else { return nil }
    return unsafe Unmanaged<PulseSignals>.fromOpaque(userData).takeUnretainedValue()
  }

  static let contextChanged: pa_context_notify_cb_t = { _, userData in
    unsafe PulseSignals.behind(userData)?.doorbell.ring()
  }

  static let streamChanged: pa_stream_notify_cb_t = { _, userData in
    unsafe PulseSignals.behind(userData)?.doorbell.ring()
  }

  static let streamWantsSamples: pa_stream_request_cb_t = { _, _, userData in
    unsafe PulseSignals.behind(userData)?.doorbell.ring()
  }

  static let operationDone: pa_stream_success_cb_t = { _, _, userData in
    unsafe PulseSignals.behind(userData)?.doorbell.ring()
  }

  static let sinkInputChanged: pa_context_subscribe_cb_t = { _, _, _, userData in
    guard let signals = unsafe PulseSignals.behind(userData) else { return }
    signals.volumeIsStale.store(true, ordering: .relaxed)
    signals.doorbell.ring()
  }

  static let sinkInfo: pa_sink_info_cb_t = { _, _, isLast, userData in
    guard let signals = unsafe PulseSignals.behind(userData) else { return }
    guard isLast != 0 else {
      signals.devicesSoFar.add(1, ordering: .relaxed)
      return
    }
    signals.deviceCount.store(
      signals.devicesSoFar.exchange(0, ordering: .relaxed), ordering: .relaxed)
    signals.doorbell.ring()
  }

  static let sinkInputInfo: pa_sink_input_info_cb_t = { _, info, _, userData in
    guard let signals = unsafe PulseSignals.behind(userData), let info = unsafe info else { return }
    let channelCount = Int(unsafe info.pointee.volume.channels)
    let sum = unsafe withUnsafeBytes(of: info.pointee.volume.values) { values in
      let volumes = unsafe values.bindMemory(to: pa_volume_t.self)
      return unsafe volumes.prefix(channelCount).reduce(0) { $0 + Double($1) }
    }
    let percent = sum / Double(max(1, channelCount)) * 100 / Double(PA_VOLUME_NORM)
    signals.volume.store(Int(percent.rounded()), ordering: .relaxed)
    signals.isMuted.store(unsafe info.pointee.mute != 0, ordering: .relaxed)
  }
}
