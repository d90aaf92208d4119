import CPulse

/// The volume of one stream, as the desktop's mixer shows it.
extension PulseConnection {
  /// Asks for the stream's volume, now and whenever it is changed elsewhere.
  ///
  /// The answer comes by `signals`. Wraps pa_context_get_sink_input_info.
  func requestVolume(of stream: UInt32) {
    unsafe withLock { context in
      unsafe forget(
        pulse.functions.pa_context_get_sink_input_info(
          context, stream, PulseSignals.sinkInputInfo, callbackData))
    }
  }

  /// Asks to be told of changes to streams' volumes.
  ///
  /// Wraps pa_context_subscribe.
  func watchVolumes() {
    unsafe withLock { context in
      unsafe forget(
        pulse.functions.pa_context_subscribe(context, PA_SUBSCRIPTION_MASK_SINK_INPUT, nil, nil))
    }
  }

  /// Sets all channels of a stream.
  ///
  /// Wraps pa_context_set_sink_input_volume.
  ///
  /// - Parameters:
  ///   - percent: of the scale that mixers show, whose steps sound alike.
  ///   - stream: the server's number for it.
  ///   - channelCount: the stream's.
  func setVolume(_ percent: Int, of stream: UInt32, channelCount: Int) {
    let functions = pulse.functions
    let level = (Double(percent) * Double(PA_VOLUME_NORM) / 100).rounded()
    var volume = pa_cvolume()
    unsafe withLock { context in
      _ = unsafe functions.pa_cvolume_set(&volume, UInt32(channelCount), pa_volume_t(level))
      unsafe forget(
        functions.pa_context_set_sink_input_volume(context, stream, &volume, nil, nil))
    }
  }

  /// Silences a stream or lets it be heard.
  ///
  /// Wraps pa_context_set_sink_input_mute.
  func setMuted(_ isMuted: Bool, of stream: UInt32) {
    unsafe withLock { context in
      unsafe forget(
        pulse.functions.pa_context_set_sink_input_mute(
          context, stream, isMuted ? 1 : 0, nil, nil))
    }
  }
}
