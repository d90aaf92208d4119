import CLibAV

/// A packet of compressed audio; libav's handle and nothing more.
@safe final class LibAVPacket {
  private let library: LibAV
  let handle: UnsafeMutablePointer<AVPacket>

  /// Wraps av_packet_alloc.
  init(library: LibAV) {
    self.library = library
    guard let handle = library.functions.av_packet_alloc() else { fatalError("no memory") }
    unsafe self.handle = handle
  }

  deinit {
    var handle: UnsafeMutablePointer<AVPacket>? = unsafe handle
    unsafe library.functions.av_packet_free(&handle)
  }

  /// Whether the bytes are of no use without a key.
  var isEncrypted: Bool {
    unsafe library.functions.av_packet_get_side_data(handle, AV_PKT_DATA_ENCRYPTION_INFO, nil)
      != nil
  }
}

/// A frame of decoded audio; libav's handle and nothing more.
@safe final class LibAVFrame {
  private let library: LibAV
  let handle: UnsafeMutablePointer<AVFrame>

  /// Wraps av_frame_alloc.
  init(library: LibAV) {
    self.library = library
    guard let handle = library.functions.av_frame_alloc() else { fatalError("no memory") }
    unsafe self.handle = handle
  }

  deinit {
    var handle: UnsafeMutablePointer<AVFrame>? = unsafe handle
    unsafe library.functions.av_frame_free(&handle)
  }
}

/// A decoder of libavcodec, fed with packets and asked for frames.
@safe final class LibAVCodec {
  private let library: LibAV
  private var context: UnsafeMutablePointer<AVCodecContext>?
  /// libav's name for the codec, such as "aac".
  let name: String

  /// Opens the decoder of a container's stream.
  ///
  /// Wraps avcodec_find_decoder, avcodec_open2.
  ///
  /// - Throws: `unsupportedCodec`; `damaged`, where the decoder cannot read its settings.
  init(for container: LibAVContainer, library: LibAV) throws(PlaybackError) {
    self.library = library
    let av = library.functions
    let parameters = unsafe container.stream.pointee.codecpar
    let identifier = unsafe parameters?.pointee.codec_id ?? AV_CODEC_ID_NONE
    name = unsafe av.avcodec_get_name(identifier).map { unsafe String(cString: $0) } ?? "unknown"
    guard let decoder = av.avcodec_find_decoder(identifier) else {
      throw .unsupportedCodec(name)
    }
    guard let context = unsafe av.avcodec_alloc_context3(decoder) else { fatalError("no memory") }
    unsafe self.context = context
    guard unsafe av.avcodec_parameters_to_context(context, parameters) >= 0 else {
      throw .unsupportedCodec(name)
    }
    // The decoder counts the samples it skips at the start in this unit.
    unsafe context.pointee.pkt_timebase = container.stream.pointee.time_base
    let status = unsafe av.avcodec_open2(context, decoder, nil)
    if Self.speaksOfSupport(status) { throw .unsupportedCodec(name) }
    guard status == 0 else { throw .damaged(decodedSeconds: 0) }
  }

  deinit {
    unsafe library.functions.avcodec_free_context(&context)
  }

  /// Whether an error says that libav lacks a part of the codec, as it does of xHE-AAC.
  static func speaksOfSupport(_ status: Int32) -> Bool {
    status == clibav_not_implemented() || status == clibav_not_built_in()
  }

  /// What became of a packet that was sent.
  enum Answer {
    case taken
    /// The decoder is full: its frames first, then the same packet again.
    case full
    case refused(Int32)
  }

  /// Hands the decoder a packet, or with nil the end.
  ///
  /// Wraps avcodec_send_packet.
  func send(_ packet: LibAVPacket?) -> Answer {
    let status = unsafe library.functions.avcodec_send_packet(context, packet?.handle)
    return status == 0
      ? .taken : status == clibav_try_again() ? .full : .refused(status)
  }

  /// What came of asking for a frame.
  enum Outcome {
    case frame
    /// The decoder needs another packet, or is at its end.
    case nothing
    case failed(Int32)
  }

  /// Takes the next frame out of the decoder.
  ///
  /// Wraps avcodec_receive_frame.
  func receive(into frame: LibAVFrame) -> Outcome {
    let status = unsafe library.functions.avcodec_receive_frame(context, frame.handle)
    return status == 0
      ? .frame
      : status == clibav_try_again() || status == clibav_end_of_file() ? .nothing : .failed(status)
  }
}
