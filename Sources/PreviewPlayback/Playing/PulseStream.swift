import CPulse
import Synchronization

/// A stream of samples to a sound server.
@safe final class PulseStream {
  private let connection: PulseConnection
  private let stream: OpaquePointer
  private let frameLength: Int
  private let sampleRate: Int
  private var drain: OpaquePointer?
  private var functions: PulseFunctions { connection.pulse.functions }

  /// How much the server is asked to keep ready: 250 ms, against 2 s that it takes by itself.
  static let bufferedSeconds = 0.25

  /// Asks for a stream, corked.
  ///
  /// Wraps pa_stream_new_with_proplist, pa_stream_connect_playback.
  ///
  /// - Parameters:
  ///   - format: of the samples, 32-bit floats.
  ///   - properties: what the server is told of the clip.
  ///   - connection: a ready one.
  /// - Throws: `outputRefused`, for a format the server does not know.
  init(
    _ format: AudioFormat, properties: [(key: String, value: String)],
    on connection: PulseConnection
  ) throws(PlaybackError) {
    self.connection = connection
    sampleRate = format.sampleRate
    frameLength = format.channelCount * MemoryLayout<Float>.stride
    let functions = connection.pulse.functions
    var specification = pa_sample_spec(
      format: PA_SAMPLE_FLOAT32LE, rate: UInt32(format.sampleRate),
      channels: UInt8(format.channelCount))
    let target = UInt32(Double(format.sampleRate) * Self.bufferedSeconds) * UInt32(frameLength)
    var buffering = pa_buffer_attr(
      maxlength: .max, tlength: target, prebuf: .max, minreq: .max, fragsize: .max)
    let flags = pa_stream_flags_t(
      PA_STREAM_START_CORKED.rawValue | PA_STREAM_INTERPOLATE_TIMING.rawValue
        | PA_STREAM_AUTO_TIMING_UPDATE.rawValue | PA_STREAM_NOT_MONOTONIC.rawValue)

    let made: Result<OpaquePointer, PlaybackError> = unsafe connection.withLock { context in
      let stream = unsafe connection.pulse.withProperties(properties) { list in
        unsafe functions.pa_stream_new_with_proplist(context, nil, &specification, nil, list)
      }
      guard let stream = unsafe stream else {
        return unsafe .failure(
          .outputRefused(
            reason: connection.pulse.message(for: unsafe functions.pa_context_errno(context))))
      }
      let data = unsafe connection.callbackData
      unsafe functions.pa_stream_set_state_callback(stream, PulseSignals.streamChanged, data)
      unsafe functions.pa_stream_set_suspended_callback(stream, PulseSignals.streamChanged, data)
      unsafe functions.pa_stream_set_write_callback(
        stream, PulseSignals.streamWantsSamples, data)
      // A failure shows in the state. No volume: the server keeps the one the user last chose.
      _ = unsafe functions.pa_stream_connect_playback(stream, nil, &buffering, flags, nil, nil)
      return unsafe .success(stream)
    }
    unsafe stream = try made.get()
  }

  /// Drops what was not heard yet.
  ///
  /// Wraps pa_stream_disconnect, pa_stream_unref.
  deinit {
    let functions = functions
    unsafe connection.withLock { _ in
      unsafe functions.pa_stream_set_state_callback(stream, nil, nil)
      unsafe functions.pa_stream_set_suspended_callback(stream, nil, nil)
      unsafe functions.pa_stream_set_write_callback(stream, nil, nil)
      if let drain = unsafe drain {
        unsafe functions.pa_operation_cancel(drain)
        unsafe functions.pa_operation_unref(drain)
      }
      if unsafe functions.pa_stream_get_state(stream) == PA_STREAM_READY {
        unsafe connection.forget(functions.pa_stream_cork(stream, 1, nil, nil))
        unsafe connection.forget(functions.pa_stream_flush(stream, nil, nil))
      }
      _ = unsafe functions.pa_stream_disconnect(stream)
      unsafe functions.pa_stream_unref(stream)
    }
  }

  /// Where the stream stands.
  ///
  /// Wraps pa_stream_get_state.
  var state: PulseConnection.State {
    let functions = functions
    return unsafe connection.withLock { context in
      switch unsafe functions.pa_stream_get_state(stream) {
      case PA_STREAM_READY: .ready
      case PA_STREAM_FAILED, PA_STREAM_TERMINATED:
        .failed(unsafe functions.pa_context_errno(context))
      default: .connecting
      }
    }
  }

  /// The server's number for the stream.
  ///
  /// Wraps pa_stream_get_index.
  var index: UInt32 {
    unsafe connection.withLock { _ in unsafe functions.pa_stream_get_index(stream) }
  }

  /// Whether the device behind the stream takes no samples for now.
  ///
  /// Wraps pa_stream_is_suspended.
  var isSuspended: Bool {
    unsafe connection.withLock { _ in unsafe functions.pa_stream_is_suspended(stream) == 1 }
  }

  /// How many sample frames the server wants now.
  ///
  /// Wraps pa_stream_writable_size.
  var writableFrames: Int {
    let size = unsafe connection.withLock { _ in unsafe functions.pa_stream_writable_size(stream) }
    return size == Int.max || size < 0 ? 0 : size / frameLength
  }

  /// Hands samples over; they are copied.
  ///
  /// Wraps pa_stream_write.
  ///
  /// - Parameter samples: interleaved, in whole frames.
  /// - Returns: whether they were taken.
  func write(_ samples: Span<Float>) -> Bool {
    unsafe samples.withUnsafeBytes { bytes in
      unsafe connection.withLock { _ in
        unsafe functions.pa_stream_write(
          stream, bytes.baseAddress, bytes.count, nil, 0, PA_SEEK_RELATIVE) == 0
      }
    }
  }

  /// How many sample frames that were written are not heard yet; nil until the server has told.
  ///
  /// Wraps pa_stream_get_latency.
  var latencyFrames: Int? {
    unsafe connection.withLock { _ in
      var microseconds: pa_usec_t = 0
      var isNegative: Int32 = 0
      guard unsafe functions.pa_stream_get_latency(stream, &microseconds, &isNegative) == 0
      else { return nil }
      return isNegative != 0 ? 0 : Int(Double(microseconds) * Double(sampleRate) / 1e6)
    }
  }

  /// Stops or goes on taking samples to the device.
  ///
  /// Wraps pa_stream_cork.
  func cork(_ isCorked: Bool) {
    unsafe connection.withLock { _ in
      unsafe connection.forget(
        functions.pa_stream_cork(
          stream, isCorked ? 1 : 0, PulseSignals.operationDone, connection.callbackData))
    }
  }

  /// Drops what was written and is not heard yet.
  ///
  /// Only on a corked stream: PipeWire's server makes noise of it otherwise. Wraps pa_stream_flush.
  func flush() {
    unsafe connection.withLock { _ in
      unsafe connection.forget(
        functions.pa_stream_flush(stream, PulseSignals.operationDone, connection.callbackData))
    }
  }

  /// Asks the server to say when all that was written has been heard.
  ///
  /// Never on a corked or suspended stream: there is no answer then. Wraps pa_stream_drain.
  func startDraining() {
    stopDraining()
    unsafe connection.withLock { _ in
      unsafe drain = functions.pa_stream_drain(
        stream, PulseSignals.operationDone, connection.callbackData)
    }
  }

  /// Forgets that it was asked to drain.
  ///
  /// Wraps pa_operation_cancel.
  func stopDraining() {
    guard let operation = unsafe drain else { return }
    unsafe connection.withLock { _ in
      unsafe functions.pa_operation_cancel(operation)
      unsafe functions.pa_operation_unref(operation)
    }
    unsafe drain = nil
  }

  /// Whether all was heard since `startDraining`.
  ///
  /// Wraps pa_operation_get_state.
  var isDrained: Bool {
    guard let drain = unsafe drain else { return false }
    return unsafe connection.withLock { _ in
      unsafe functions.pa_operation_get_state(drain) == PA_OPERATION_DONE
    }
  }
}
