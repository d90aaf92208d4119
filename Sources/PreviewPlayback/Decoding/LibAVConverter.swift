import CLibAV

/// Turns frames of whatever libav decodes into interleaved 32-bit floats of one format.
///
/// A frame in another rate, layout or sample format than the last one makes it start anew; the samples
/// that come out keep the first format.
@safe final class LibAVConverter {
  private let library: LibAV
  private var context: OpaquePointer?
  private var inputLayout = unsafe AVChannelLayout()
  private var inputRate: Int32 = 0
  private var inputFormat = AV_SAMPLE_FMT_NONE
  private var outputLayout = unsafe AVChannelLayout()
  private var scratch: [Float] = []
  /// The format of what comes out.
  let format: AudioFormat

  /// - Parameters:
  ///   - frame: the first one; its rate and channels become the format.
  ///   - library: libav.
  /// - Throws: `damaged`, where the frame has no rate or no channels.
  init(from frame: LibAVFrame, library: LibAV) throws(PlaybackError) {
    self.library = library
    let first = unsafe frame.handle.pointee
    guard unsafe first.sample_rate > 0 && first.ch_layout.nb_channels > 0 else {
      throw .damaged(decodedSeconds: 0)
    }
    unsafe Self.copyNamed(first.ch_layout, to: &outputLayout, library: library)
    let isNative = unsafe outputLayout.order == AV_CHANNEL_ORDER_NATIVE
    unsafe format = AudioFormat(
      sampleRate: Int(first.sample_rate), channelCount: Int(outputLayout.nb_channels),
      channelMask: isNative ? outputLayout.u.mask : 0)
  }

  /// For frames that are not libav's: interleaved floats with the usual layouts.
  ///
  /// - Parameters:
  ///   - format: of what comes out.
  ///   - library: libav.
  init(to format: AudioFormat, library: LibAV) {
    self.library = library
    self.format = format
    unsafe library.functions.av_channel_layout_default(&outputLayout, Int32(format.channelCount))
  }

  deinit {
    unsafe library.functions.swr_free(&context)
    unsafe library.functions.av_channel_layout_uninit(&inputLayout)
    unsafe library.functions.av_channel_layout_uninit(&outputLayout)
  }

  /// Converts one frame and adds its samples to the store.
  ///
  /// - Throws: `tooLong`; `damaged`, where libswresample does not accept the frame.
  func convert(_ frame: LibAVFrame, into store: inout SampleStore) throws(PlaybackError) {
    let next = unsafe frame.handle.pointee
    var layout = unsafe AVChannelLayout()
    defer { unsafe library.functions.av_channel_layout_uninit(&layout) }
    unsafe Self.copyNamed(next.ch_layout, to: &layout, library: library)
    unsafe try prepare(
      rate: next.sample_rate, layout: &layout, sampleFormat: AVSampleFormat(next.format), &store)
    let planes = unsafe UnsafeRawPointer(next.extended_data)
    unsafe try run(
      planes?.assumingMemoryBound(to: UnsafePointer<UInt8>?.self), next.nb_samples, into: &store)
  }

  /// Converts interleaved floats of another format and adds them to the store.
  ///
  /// - Throws: as for frames.
  func convert(
    _ samples: UnsafeBufferPointer<Float>, of input: AudioFormat, into store: inout SampleStore
  ) throws(PlaybackError) {
    var layout = unsafe AVChannelLayout()
    unsafe library.functions.av_channel_layout_default(&layout, Int32(input.channelCount))
    defer { unsafe library.functions.av_channel_layout_uninit(&layout) }
    unsafe try prepare(
      rate: Int32(input.sampleRate), layout: &layout, sampleFormat: AV_SAMPLE_FMT_FLT, &store)
    var plane = unsafe UnsafeRawPointer(samples.baseAddress)?.assumingMemoryBound(to: UInt8.self)
    unsafe try run(&plane, Int32(samples.count / input.channelCount), into: &store)
  }

  /// Adds what a change of rate still holds back.
  ///
  /// Call it at the end.
  func finish(into store: inout SampleStore) throws(PlaybackError) {
    guard unsafe context != nil, Int(inputRate) != format.sampleRate else { return }
    unsafe try run(nil, 0, into: &store)
  }

  /// Starts anew where the input is not what it was.
  ///
  /// Wraps swr_alloc_set_opts2, swr_init.
  private func prepare(
    rate: Int32, layout: inout AVChannelLayout, sampleFormat: AVSampleFormat,
    _ store: inout SampleStore
  ) throws(PlaybackError) {
    let av = library.functions
    if unsafe context != nil && rate == inputRate && sampleFormat == inputFormat
      && av.av_channel_layout_compare(&layout, &inputLayout) == 0
    {
      return
    }
    try finish(into: &store)
    unsafe av.swr_free(&context)
    let status = unsafe av.swr_alloc_set_opts2(
      &context, &outputLayout, AV_SAMPLE_FMT_FLT, Int32(format.sampleRate), &layout, sampleFormat,
      rate, 0, nil)
    guard unsafe status == 0 && av.swr_init(context) == 0 else {
      unsafe av.swr_free(&context)
      throw .damaged(decodedSeconds: store.duration)
    }
    _ = unsafe av.av_channel_layout_copy(&inputLayout, &layout)
    inputRate = rate
    inputFormat = sampleFormat
  }

  /// Wraps swr_convert.
  private func run(
    _ planes: UnsafePointer<UnsafePointer<UInt8>?>?, _ count: Int32,
    into store: inout SampleStore
  ) throws(PlaybackError) {
    let capacity = unsafe max(0, library.functions.swr_get_out_samples(context, count))
    let needed = Int(capacity) * format.channelCount
    if scratch.count < needed { scratch = Array(repeating: 0, count: needed) }
    let result: Result<Void, PlaybackError> = unsafe scratch.withUnsafeMutableBufferPointer {
      buffer in
      var output = unsafe UnsafeMutableRawPointer(buffer.baseAddress)?
        .assumingMemoryBound(to: UInt8.self)
      let made = unsafe library.functions.swr_convert(
        context, &output, capacity, UnsafeMutablePointer(mutating: planes), count)
      let samples = unsafe UnsafeBufferPointer(
        rebasing: buffer[..<(Int(max(0, made)) * format.channelCount)])
      return Result { () throws(PlaybackError) in unsafe try store.append(samples) }
    }
    try result.get()
  }

  /// Copies a layout; one that names no speakers becomes the usual one for its number of channels.
  private static func copyNamed(
    _ layout: AVChannelLayout, to copy: inout AVChannelLayout, library: LibAV
  ) {
    var source = unsafe layout
    if unsafe source.order == AV_CHANNEL_ORDER_UNSPEC {
      unsafe library.functions.av_channel_layout_default(&copy, source.nb_channels)
    } else {
      _ = unsafe library.functions.av_channel_layout_copy(&copy, &source)
    }
  }
}
