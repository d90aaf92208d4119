import Glibc
import Testing

@testable import PreviewPlayback

@Suite(.serialized, .timeLimit(.minutes(2)))
struct PlayerTests {
  private static let format = AudioFormat(sampleRate: 44_100, channelCount: 2)

  /// A clip in which no sample is 0, and no two stretches are alike.
  private static func clip(seconds: Double) -> AudioClip {
    var state: UInt32 = 1
    let samples = (0..<Int(seconds * 44_100) * 2).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return Float(Int32(bitPattern: state | 0x8000) >> 8) / Float(1 << 24)
    }
    return AudioClip(format: format, samples: samples)
  }

  private func player(_ server: PulseServer, stallLimit: Duration = .seconds(10)) -> Player {
    Player(PlayerSettings(server: server.address, stallLimit: stallLimit))
  }

  /// The recording from the first sample that is not silent to the last.
  private func sound(in recording: [Float]) -> [Float] {
    guard let first = recording.firstIndex(where: { $0 != 0 }),
      let last = recording.lastIndex(where: { $0 != 0 })
    else { return [] }
    return Array(recording[first...last])
  }

  @Test(arguments: ["aac.m4a", "cbr.mp3"])
  func `what is heard is what was decoded, from the first sample to the last`(
    _ name: String
  ) async throws {
    let clip = try await AudioDecoder().decode(Fixtures.path(name))
    let server = try await PulseServer()
    let player = player(server)
    try await player.prepare()
    let recording = try await server.recording {
      let ending = try await player.play(clip, title: "Title", artist: "Artist")
      #expect(ending == .finished)
    }
    let expected = sound(in: clip.samples)
    #expect(!expected.isEmpty && sound(in: recording) == expected)
  }

  @Test(arguments: [0.001, 0.046, 0.2, 0.3])
  func `a short clip is heard whole`(_ seconds: Double) async throws {
    let clip = Self.clip(seconds: seconds)
    let server = try await PulseServer()
    let player = player(server)
    let recording = try await server.recording {
      let ending = try await player.play(clip)
      #expect(ending == .finished)
    }
    #expect(sound(in: recording) == clip.samples)
  }

  @Test func `pausing loses nothing`() async throws {
    let clip = Self.clip(seconds: 1.5)
    let server = try await PulseServer()
    let player = player(server)
    let recording = try await server.recording {
      async let ending = player.play(clip)
      #expect(await eventually { player.position ?? 0 > 0.5 })
      player.pause()
      try await Task.sleep(for: .milliseconds(300))
      let position = player.position
      try await Task.sleep(for: .milliseconds(100))
      #expect(player.isPaused && player.position == position)
      player.togglePause()
      let howItEnded = try await ending
      #expect(howItEnded == .finished)
    }
    let heard = sound(in: recording)
    #expect(heard.count > clip.samples.count + 44_100 / 4)
    #expect(heard.filter { $0 != 0 } == clip.samples)
  }

  @Test func `a pause near the end holds the end back`() async throws {
    let clip = Self.clip(seconds: 0.5)
    let server = try await PulseServer()
    let player = player(server)
    let recording = try await server.recording {
      async let ending = player.play(clip)
      #expect(await eventually { player.position ?? 0 > 0.35 })
      player.pause()
      try await Task.sleep(for: .milliseconds(900))
      #expect(player.position ?? 1 < 0.5)
      player.resume()
      let howItEnded = try await ending
      #expect(howItEnded == .finished)
    }
    #expect(sound(in: recording).filter { $0 != 0 } == clip.samples)
  }

  @Test func `seeking goes on exactly there`() async throws {
    let clip = Self.clip(seconds: 3)
    let server = try await PulseServer()
    let player = player(server)
    let recording = try await server.recording {
      async let ending = player.play(clip)
      #expect(await eventually { player.position ?? 0 > 0.3 })
      player.seek(to: 2)
      #expect(await eventually { player.position ?? 0 >= 2 })
      let howItEnded = try await ending
      #expect(howItEnded == .finished)
    }
    let tail = Array(clip.samples[(2 * 44_100 * 2)...])
    let heard = sound(in: recording)
    #expect(Array(heard.suffix(tail.count)) == tail)
    #expect(heard.count < Int(2.0 * 44_100 * 2))
  }

  @Test func `seeking back while the end is heard plays it again`() async throws {
    let clip = Self.clip(seconds: 0.6)
    let server = try await PulseServer()
    let player = player(server)
    let recording = try await server.recording {
      async let ending = player.play(clip)
      #expect(await eventually { player.position ?? 0 > 0.45 })
      player.seek(by: -10)
      let howItEnded = try await ending
      #expect(howItEnded == .finished)
    }
    #expect(Array(sound(in: recording).suffix(clip.samples.count)) == clip.samples)
  }

  @Test func `the position is that of the sound`() async throws {
    let server = try await PulseServer()
    let player = player(server)
    async let ending = player.play(Self.clip(seconds: 2))
    #expect(await eventually { player.position ?? 0 > 0 })
    let start = ContinuousClock.now
    let first = player.position ?? 0
    #expect(await eventually { player.position ?? 0 > first + 1 })
    let elapsed = (ContinuousClock.now - start).seconds
    #expect(elapsed > 0.85)  // It never runs ahead; a busy machine may look at it late.
    player.stop()
    #expect(try await ending == .interrupted)
    #expect(player.position == nil)
  }

  @Test func `a canceled task is silent at once`() async throws {
    let server = try await PulseServer()
    let player = player(server)
    let task = Task { try await player.play(Self.clip(seconds: 20)) }
    #expect(await eventually { player.position ?? 0 > 0.2 })
    task.cancel()
    #expect(try await task.value == .interrupted)
    // The same player goes on with the next clip.
    #expect(try await player.play(Self.clip(seconds: 0.1)) == .finished)
  }

  @Test func `many channels are heard as two`() async throws {
    let clip = try await AudioDecoder().decode(Fixtures.path("5.1.m4a"))
    let server = try await PulseServer()
    let player = player(server)
    let recording = try await server.recording {
      let ending = try await player.play(clip)
      #expect(ending == .finished)
    }
    #expect(sound(in: recording) == sound(in: StereoMix.playable(clip).samples))
  }

  @Test func `the mixer shows what plays`() async throws {
    let server = try await PulseServer()
    let settings = PlayerSettings(
      applicationName: "Name", applicationID: "org.example.name", applicationVersion: "1.2",
      iconName: "icon", server: server.address)
    let player = Player(settings)
    async let ending = player.play(Self.clip(seconds: 20), title: "Tïtle", artist: "Artist")
    #expect(await eventually { player.position ?? 0 > 0 })
    let report = server.report("list", "sink-inputs")
    for property in [
      "media.name = \"Artist - Tïtle\"", "media.title = \"Tïtle\"", "media.artist = \"Artist\"",
      "media.role = \"music\"", "application.name = \"Name\"",
      "application.id = \"org.example.name\"",
      "application.version = \"1.2\"", "application.icon_name = \"icon\"",
      "module-stream-restore.id = \"sink-input-by-application-id:org.example.name\"",
      "Sample Specification: float32le 2ch 44100Hz",
    ] {
      #expect(report.contains(property))
    }
    player.stop()
    #expect(try await ending == .interrupted)
  }

  @Test func `the volume is the stream's own`() async throws {
    let server = try await PulseServer()
    let player = player(server)
    async let ending = player.play(Self.clip(seconds: 20))
    #expect(await eventually { player.volume == 100 })
    player.changeVolume(by: -30)
    #expect(await eventually { player.volume == 70 })
    server.control("set-sink-input-volume", "0", "50%")
    #expect(await eventually { player.volume == 50 })
    player.toggleMute()
    #expect(await eventually { player.isMuted })
    player.stop()
    #expect(try await ending == .interrupted)
  }
}
