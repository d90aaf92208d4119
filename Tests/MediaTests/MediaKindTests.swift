import PreviewMedia
import Testing

struct MediaKindTests {
  struct Row: CustomTestStringConvertible {
    var testDescription: String
    var bytes: [UInt8]
    var kind: MediaKind?
  }

  static let rows: [Row] = [
    Row(testDescription: "ftyp", bytes: [0, 0, 0, 24] + Array("ftypM4A ".utf8), kind: .mp4),
    Row(
      testDescription: "MPEG-1 layer III", bytes: [0xFF, 0xFB, 0x90, 0, 0, 0, 0, 0],
      kind: .mpegAudio),
    Row(
      testDescription: "MPEG-2.5 layer III", bytes: [0xFF, 0xE3, 0x90, 0, 0, 0], kind: .mpegAudio),
    Row(testDescription: "layer I", bytes: [0xFF, 0xFF, 0x90, 0, 0, 0], kind: .mpegAudio),
    Row(testDescription: "ADTS", bytes: [0xFF, 0xF1, 0x50, 0x80, 0, 0], kind: .adts),
    Row(
      testDescription: "ID3v2 longer than what is known",
      bytes: Array("ID3".utf8) + [4, 0, 0, 0, 0, 0x7F, 0x7F], kind: .mpegAudio),
    Row(
      testDescription: "FLAC behind ID3v2",
      bytes: Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 2, 9, 9] + Array("fLaC".utf8), kind: .flac),
    Row(testDescription: "Ogg", bytes: Array("OggS".utf8) + [0, 2, 0, 0], kind: .ogg),
    Row(testDescription: "WAV", bytes: Array("RIFF....WAVEfmt ".utf8), kind: .wav),
    Row(testDescription: "RIFF that is no WAV", bytes: Array("RIFF....AVI LIST".utf8), kind: nil),
    Row(testDescription: "AIFF-C", bytes: Array("FORM....AIFC".utf8), kind: .aiff),
    Row(testDescription: "CAF", bytes: Array("caff".utf8) + [0, 1, 0, 0], kind: .caf),
    Row(testDescription: "WebM", bytes: [0x1A, 0x45, 0xDF, 0xA3, 1, 2, 3, 4], kind: .matroska),
    Row(testDescription: "a web page", bytes: Array("<!DOCTYPE html><html>".utf8), kind: nil),
    Row(testDescription: "JSON", bytes: Array(#"{"error":"no"}"#.utf8), kind: nil),
    Row(testDescription: "zeros", bytes: [UInt8](repeating: 0, count: 64), kind: nil),
    Row(testDescription: "bad bit rate", bytes: [0xFF, 0xFB, 0xF0, 0, 0, 0], kind: nil),
    Row(testDescription: "nothing", bytes: [], kind: nil),
    Row(testDescription: "one byte", bytes: [0xFF], kind: nil),
  ]

  @Test(arguments: rows) func `the first bytes tell the kind`(row: Row) {
    #expect(MediaKind(startOf: row.bytes.span) == row.kind)
  }

  @Test func `a header tells the length of its frame`() {
    let bytes: [UInt8] = [0xFF, 0xFB, 0x92, 0x44]  // MPEG-1 layer III, 128 kbit/s, 44.1 kHz, padded
    let header = MPEGAudioHeader(at: 0, in: bytes.span)
    #expect(header?.sampleRate == 44100)
    #expect(header?.frameLength == 1152)
    #expect(header?.byteCount == 418)
    #expect(header?.channelCount == 2)
  }
}
