import Testing

@testable import PreviewPlayback

@Suite(.timeLimit(.minutes(5)))
struct DecoderTests {
  private static let decoder = AudioDecoder()
  private static let decodable = Fixtures.recipes.filter {
    !["encrypted.m4a", "video.mp4"].contains($0.name)
  }

  @Test(arguments: decodable)
  func `decodes to the samples of ffmpeg and mpg123`(_ recipe: Fixtures.Recipe) async throws {
    let path = try Fixtures.path(recipe.name)
    let clip = try await Self.decoder.decode(path)
    let isMPEG = recipe.name.hasSuffix(".mp3") || recipe.name.hasSuffix(".mp2")
    let reference = Reference.samples(of: path, isMPEG: isMPEG)
    #expect(clip.frameCount > 0 && reference.count >= clip.samples.count)
    #expect(abs(clip.duration - recipe.seconds) < 0.15)
    #expect(Reference.difference(clip.samples, reference) <= 2e-4)
  }

  /// What the fixtures were made from, and so what is to come out of them again.
  @Test(arguments: ["aac.m4a", "faststart.m4a", "alac.m4a", "flac.flac", "pcm.wav", "cbr.mp3"])
  func `has neither delay nor padding`(_ name: String) async throws {
    let clip = try await Self.decoder.decode(Fixtures.path(name))
    let seconds = try #require(Fixtures.recipes.first { $0.name == name }).seconds
    #expect(clip.frameCount == Int(seconds * 44_100))
  }

  @Test func `says the speakers of the channels`() async throws {
    let surround = try await Self.decoder.decode(Fixtures.path("5.1.m4a"))
    #expect(surround.format == AudioFormat(sampleRate: 44_100, channelCount: 6, channelMask: 0x3F))
    let mono = try await Self.decoder.decode(Fixtures.path("mono-22k.m4a"))
    #expect(mono.format == AudioFormat(sampleRate: 22_050, channelCount: 1, channelMask: 0x4))
  }

  @Test func `tells the format by the bytes, not by the name`() async throws {
    let path = Fixtures.newPath("really-mp3: a name.m4a")
    write(bytes(of: try Fixtures.path("cbr.mp3")), to: path)
    let other = Fixtures.newPath("really-m4a.mp3")
    write(bytes(of: try Fixtures.path("aac.m4a")), to: other)
    #expect(try await Self.decoder.decode(path).frameCount == 88_200)
    #expect(try await Self.decoder.decode(other).frameCount == 88_200)
  }

  @Test func `finds MPEG audio behind junk when the name says so`() async throws {
    let path = Fixtures.newPath("junk.mp3")
    let junk = (0..<30_000).map { UInt8(truncatingIfNeeded: $0 * 7 & 0x7F) }
    write([1] + junk + bytes(of: try Fixtures.path("cbr.mp3")), to: path)
    #expect(try await Self.decoder.decode(path).duration > 1.9)
  }

  @Test func `keeps the first format when channels and rate change`() async throws {
    let path = Fixtures.newPath("changing.mp3")
    let parts = try ["headerless.mp3", "mono-8k.mp3"].map { bytes(of: try Fixtures.path($0)) }
    write(parts.joined(), to: path)
    let clip = try await Self.decoder.decode(path)
    #expect(clip.format == AudioFormat(sampleRate: 44_100, channelCount: 2))
    #expect(abs(clip.duration - 4) < 0.4)
  }

  @Test func `a canceled task gets no clip`() async throws {
    let path = try Fixtures.path("aac.m4a")
    let task = Task { () async throws(PlaybackError) in
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return try await Self.decoder.decode(path)
    }
    await #expect(throws: PlaybackError.canceled) { try await task.value }
  }

  @Test func `replaces what is no number`() {
    var store = SampleStore(
      format: AudioFormat(sampleRate: 8000, channelCount: 1), expectedFrames: 4)
    let samples: [Float] = [0.5, .nan, .infinity, -.infinity, .leastNonzeroMagnitude, -0.5]
    unsafe samples.withUnsafeBufferPointer { buffer in try? unsafe store.append(buffer) }
    #expect(store.clip().samples == [0.5, 0, 0, 0, 0, -0.5])
  }

  @Test func `mixes many channels without clipping`() {
    for mask: UInt64 in [0x3F, 0x63F, 0x60F, 0x107, 0] {
      let channelCount = mask == 0 ? 5 : mask.nonzeroBitCount
      let format = AudioFormat(sampleRate: 8000, channelCount: channelCount, channelMask: mask)
      let loud = AudioClip(format: format, samples: Array(repeating: 1, count: channelCount))
      let mixed = StereoMix.playable(loud)
      #expect(mixed.format.channelCount == 2)
      #expect(mixed.samples.max() ?? 0 > 0.99, "mask \(mask)")
      #expect(mixed.samples.max() ?? 2 < 1.0001, "mask \(mask)")
    }
  }
}
