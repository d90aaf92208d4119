import CLibAV
import PreviewMedia

/// A media file opened by libavformat, and its audio stream.
@safe final class LibAVContainer {
  private let library: LibAV
  private var context: UnsafeMutablePointer<AVFormatContext>?
  /// The audio stream libavformat finds best.
  let stream: UnsafeMutablePointer<AVStream>

  /// The demuxers that may open a file: without the list, junk is opened as whatever it resembles.
  private static let demuxers =
    "mov,mp4,m4a,3gp,3g2,mj2,aac,loas,flac,ogg,wav,aiff,caf,mp3,matroska,webm,w64"

  /// Opens a file and finds its audio.
  ///
  /// Wraps avformat_open_input, avformat_find_stream_info, av_find_best_stream.
  ///
  /// - Throws: `notAudio`, `noAudioStream`, `encrypted`.
  init(path: String, library: LibAV) throws(PlaybackError) {
    self.library = library
    let av = library.functions
    var options: OpaquePointer?
    _ = unsafe av.av_dict_set(&options, "format_whitelist", Self.demuxers, 0)
    // A playlist in a media file's clothes must not open other files or addresses.
    _ = unsafe av.av_dict_set(&options, "protocol_whitelist", "file", 0)
    defer { unsafe av.av_dict_free(&options) }

    var opened: UnsafeMutablePointer<AVFormatContext>?
    // The prefix: a name with a colon would be taken for an address.
    let status = unsafe av.avformat_open_input(&opened, "file:" + path, nil, &options)
    guard status == 0, let context = unsafe opened else {
      throw .notAudio(found: "something FFmpeg cannot open (\(library.message(for: status)))")
    }
    // From here on the error only says that the details are not all known; the decoder tells.
    _ = unsafe av.avformat_find_stream_info(context, nil)
    let index = unsafe av.av_find_best_stream(context, AVMEDIA_TYPE_AUDIO, -1, -1, nil, 0)
    guard index >= 0, let stream = unsafe context.pointee.streams[Int(index)] else {
      unsafe av.avformat_close_input(&opened)
      throw .noAudioStream
    }
    unsafe self.context = context
    unsafe self.stream = stream
    for other in 0..<Int(unsafe context.pointee.nb_streams) where other != Int(index) {
      unsafe context.pointee.streams[other]?.pointee.discard = AVDISCARD_ALL
    }
    if isEncrypted { throw .encrypted }
  }

  deinit {
    unsafe library.functions.avformat_close_input(&context)
  }

  /// The stream's index, which its packets carry.
  var streamIndex: Int32 { unsafe stream.pointee.index }

  /// The stream's own number: in MP4 the track's.
  var streamID: Int { Int(unsafe stream.pointee.id) }

  /// Ticks a second of the stream's times; 0 where a tick is no whole fraction of a second.
  var timescale: Int {
    unsafe stream.pointee.time_base.num == 1 ? Int(stream.pointee.time_base.den) : 0
  }

  /// The length in seconds that the file declares; nil where libavformat only guesses.
  var declaredDuration: Double? {
    guard let context = unsafe context,
      unsafe context.pointee.duration_estimation_method == AVFMT_DURATION_FROM_STREAM,
      unsafe stream.pointee.duration != clibav_no_timestamp()
    else { return nil }
    let base = unsafe stream.pointee.time_base
    guard base.den > 0 else { return nil }
    return Double(unsafe stream.pointee.duration) * Double(base.num) / Double(base.den)
  }

  /// A value of the file's tags; nil where there is none.
  ///
  /// Wraps av_dict_get.
  func tag(_ name: String) -> String? {
    guard let context = unsafe context,
      let entry = unsafe library.functions.av_dict_get(context.pointee.metadata, name, nil, 0)
    else { return nil }
    return unsafe String(cString: entry.pointee.value)
  }

  /// Reads the next packet of the stream; false at the end of the file, or where it cannot be read
  /// any further.
  ///
  /// Wraps av_read_frame.
  func read(into packet: LibAVPacket) -> Bool {
    repeat {
      unsafe library.functions.av_packet_unref(packet.handle)
      guard unsafe library.functions.av_read_frame(context, packet.handle) == 0 else {
        return false
      }
    } while unsafe packet.handle.pointee.stream_index != streamIndex
    return true
  }

  /// Whether the stream is protected: by its sample entry (FairPlay and ISO/IEC 23001-7), or by the
  /// keys it asks for.
  private var isEncrypted: Bool {
    let tag = unsafe stream.pointee.codecpar.pointee.codec_tag.littleEndian
    let name = [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: tag >> UInt32($0)) }
    if ["drms", "drmi", "enca", "encv", "aavd"].contains(where: { Array($0.utf8) == name }) {
      return true
    }
    return unsafe library.functions.av_stream_get_side_data(
      stream, AV_PKT_DATA_ENCRYPTION_INIT_INFO, nil) != nil
  }
}
