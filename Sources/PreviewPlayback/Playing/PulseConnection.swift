import CPulse
import Synchronization

/// A connection to a sound server: libpulse's thread and its context.
///
/// Every call takes libpulse's lock for as long as the call lasts; no call waits for the server.
@safe final class PulseConnection: @unchecked Sendable {
  let pulse: Pulse
  let signals: PulseSignals
  private let loop: OpaquePointer
  private let context: OpaquePointer
  private let userData: Unmanaged<PulseSignals>

  /// Begins to connect.
  ///
  /// Wraps pa_threaded_mainloop_new, pa_context_new_with_proplist, pa_context_connect.
  ///
  /// - Parameters:
  ///   - settings: the server, and what to tell it of the application.
  ///   - pulse: libpulse.
  ///   - doorbell: rings whenever something happened.
  init(_ settings: PlayerSettings, pulse: Pulse, doorbell: Doorbell) {
    self.pulse = pulse
    signals = PulseSignals(doorbell: doorbell)
    unsafe userData = .passRetained(signals)
    let functions = pulse.functions
    guard let loop = functions.pa_threaded_mainloop_new(),
      let context = unsafe pulse.withProperties(
        settings.applicationProperties,
        { list in
          unsafe functions.pa_context_new_with_proplist(
            functions.pa_threaded_mainloop_get_api(loop), nil, list)
        })
    else { fatalError("no memory") }
    unsafe self.loop = loop
    unsafe self.context = context

    let data = unsafe userData.toOpaque()
    unsafe functions.pa_context_set_state_callback(context, PulseSignals.contextChanged, data)
    unsafe functions.pa_context_set_subscribe_callback(
      context, PulseSignals.sinkInputChanged, data)
    // A failure shows in the state, whether it comes at once or later.
    _ = unsafe functions.pa_context_connect(context, settings.server, PA_CONTEXT_NOAUTOSPAWN, nil)
    guard unsafe functions.pa_threaded_mainloop_start(loop) == 0 else {
      fatalError("pa_threaded_mainloop_start")
    }
  }

  deinit {
    let functions = pulse.functions
    unsafe withLock { context in unsafe functions.pa_context_disconnect(context) }
    // Not under the lock: it waits for libpulse's thread to end, which takes the lock.
    unsafe functions.pa_threaded_mainloop_stop(loop)
    unsafe functions.pa_context_unref(context)
    unsafe functions.pa_threaded_mainloop_free(loop)
    unsafe userData.release()
  }

  /// Runs `body` under libpulse's lock.
  ///
  /// Wraps pa_threaded_mainloop_lock.
  func withLock<Value>(_ body: (OpaquePointer) -> Value) -> Value {
    unsafe pulse.functions.pa_threaded_mainloop_lock(loop)
    defer { unsafe pulse.functions.pa_threaded_mainloop_unlock(loop) }
    return unsafe body(context)
  }

  /// The signals as user data for callbacks, which end before the connection does.
  var callbackData: UnsafeMutableRawPointer { unsafe userData.toOpaque() }

  /// Where the connection stands.
  enum State: Equatable {
    case connecting
    case ready
    /// libpulse's error code.
    case failed(Int32)
  }

  /// Wraps pa_context_get_state, pa_context_errno.
  var state: State {
    let functions = pulse.functions
    return unsafe withLock { context in
      switch unsafe functions.pa_context_get_state(context) {
      case PA_CONTEXT_READY: .ready
      case PA_CONTEXT_FAILED, PA_CONTEXT_TERMINATED:
        .failed(unsafe functions.pa_context_errno(context))
      default: .connecting
      }
    }
  }

  /// Asks how many devices the server has; the answer comes by `signals`.
  ///
  /// Wraps pa_context_get_sink_info_list.
  func countDevices() {
    signals.deviceCount.store(-1, ordering: .relaxed)
    unsafe withLock { context in
      unsafe forget(
        pulse.functions.pa_context_get_sink_info_list(
          context, PulseSignals.sinkInfo, callbackData))
    }
  }

  /// Lets go of an operation whose result nobody waits for.
  ///
  /// Wraps pa_operation_unref.
  func forget(_ operation: OpaquePointer?) {
    if let operation = unsafe operation { unsafe pulse.functions.pa_operation_unref(operation) }
  }
}
