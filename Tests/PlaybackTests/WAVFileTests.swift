import Testing

@testable import PreviewPlayback

@Suite(.timeLimit(.minutes(1)))
struct WAVFileTests {
  private let directory = TemporaryDirectory()

  @Test(arguments: [1, 2, 6, 8])
  func `what was written is read again`(_ channelCount: Int) async throws {
    let mask: [Int: UInt64] = [1: 0x4, 2: 0x3, 6: 0x3F, 8: 0x63F]
    let format = AudioFormat(
      sampleRate: 48_000, channelCount: channelCount, channelMask: mask[channelCount] ?? 0)
    let samples = (0..<4800 * channelCount).map { Float($0 % 251) / 128 - 1 }
    let clip = AudioClip(format: format, samples: samples)
    let path = directory.file("clip.wav")
    try await WAVFile(clip).write(to: path)
    #expect(try await AudioDecoder().decode(path) == clip)
    #expect(Reference.samples(of: path, isMPEG: false) == samples)
    #expect(bytes(of: path).count == (channelCount > 2 ? 80 : 58) + samples.count * 4)
  }

  @Test func `a failure leaves what was there`() async throws {
    let clip = AudioClip(
      format: AudioFormat(sampleRate: 8000, channelCount: 1), samples: [0, 0.5])
    let folder = directory.file("folder")
    Program.run("mkdir", "-p", "\(folder)/full")
    await #expect(throws: PlaybackError.cannotWrite(path: "\(folder)/none/clip.wav", errno: 2)) {
      try await WAVFile(clip).write(to: "\(folder)/none/clip.wav")
    }
    await #expect(throws: PlaybackError.cannotWrite(path: "\(folder)/full", errno: 21)) {
      try await WAVFile(clip).write(to: "\(folder)/full")
    }
    let list = directory.file("list")
    Program.run("ls", "-A", folder, output: list)
    #expect(bytes(of: list) == Array("full\n".utf8))
  }
}
