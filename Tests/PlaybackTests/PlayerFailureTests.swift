import Glibc
import Testing

@testable import PreviewPlayback

extension PlayerTests {
  /// Every way in which a sound server may not be there, or no longer.
  @Suite struct Failures {
    private static let clip = AudioClip(
      format: AudioFormat(sampleRate: 44_100, channelCount: 2),
      samples: Array(repeating: 0.25, count: 44_100 * 2 * 10))

    private func failure(_ settings: PlayerSettings) async -> PlaybackError? {
      do throws(PlaybackError) {
        _ = try await Player(settings).play(Self.clip)
        return nil
      } catch {
        return error
      }
    }

    @Test func `no server`() async throws {
      let error = await failure(PlayerSettings(server: "unix:/nowhere/native"))
      #expect(
        error
          == .soundServerUnavailable(tried: "unix:/nowhere/native", reason: "Connection refused"))
    }

    @Test func `a server that never answers`() async throws {
      let directory = TemporaryDirectory()
      let path = directory.file("native")
      let socket = try #require(listen(at: path))
      defer { close(socket) }
      let error = await failure(
        PlayerSettings(server: "unix:\(path)", answerLimit: .milliseconds(300)))
      guard case .soundServerUnavailable = error else {
        Issue.record("\(String(describing: error))")
        return
      }

      let player = Player(PlayerSettings(server: "unix:\(path)", answerLimit: .seconds(60)))
      let task = Task { try await player.play(Self.clip) }
      try await Task.sleep(for: .milliseconds(50))
      task.cancel()
      #expect(try await task.value == .interrupted)
    }

    @Test func `no output device`() async throws {
      let server = try await PulseServer(hasSink: false)
      #expect(await failure(PlayerSettings(server: server.address)) == .noOutputDevice)
    }

    @Test func `another user's runtime directory`() async throws {
      let directory = TemporaryDirectory()
      try #require(unsafe chown(directory.path, 12_345, 12_345) == 0, "this needs root")
      let error = await failure(PlayerSettings(runtimeDirectory: directory.path))
      #expect(error == .foreignRuntimeDirectory(path: directory.path, isRoot: true))
    }

    @Test func `the server dies while it plays`() async throws {
      let server = try await PulseServer()
      let player = Player(PlayerSettings(server: server.address))
      let task = Task { try await player.play(Self.clip) }
      #expect(await eventually { player.position ?? 0 > 0.3 })
      server.kill()
      await #expect {
        try await task.value
      } throws: { error in
        guard case .soundServerLost(let seconds, _) = error as? PlaybackError else { return false }
        return seconds > 0.2 && seconds < 2
      }
    }

    @Test func `the device is suspended`() async throws {
      let server = try await PulseServer()
      server.control("suspend-sink", "null", "1")
      let error = await failure(
        PlayerSettings(server: server.address, stallLimit: .milliseconds(300)))
      #expect(error == .outputSuspended(seconds: 0.3))
    }

    @Test func `the device is suspended for a while`() async throws {
      let server = try await PulseServer()
      let player = Player(PlayerSettings(server: server.address))
      let clip = AudioClip(
        format: Self.clip.format, samples: Array(Self.clip.samples.prefix(88_200)))
      let task = Task { try await player.play(clip) }
      #expect(await eventually { player.position ?? 0 > 0.3 })
      server.control("suspend-sink", "null", "1")
      server.control("suspend-sink", "null", "0")
      #expect(try await task.value == .finished)
    }

    @Test func `the mixer ends the stream`() async throws {
      let server = try await PulseServer()
      let player = Player(PlayerSettings(server: server.address))
      let task = Task { try await player.play(Self.clip) }
      #expect(await eventually { player.position ?? 0 > 0.2 })
      server.killStream()
      #expect(try await task.value == .interrupted)
    }

    @Test func `the last device goes away`() async throws {
      let server = try await PulseServer()
      let player = Player(PlayerSettings(server: server.address))
      let task = Task { try await player.play(Self.clip) }
      #expect(await eventually { player.position ?? 0 > 0.2 })
      server.control("unload-module", "module-null-sink")
      await #expect(throws: PlaybackError.noOutputDevice) { try await task.value }
    }

    @Test func `the device goes away and there is another`() async throws {
      let server = try await PulseServer()
      server.control("load-module", "module-null-sink", "sink_name=other", "norewinds=1")
      let player = Player(PlayerSettings(server: server.address))
      let clip = AudioClip(
        format: Self.clip.format, samples: Array(Self.clip.samples.prefix(88_200)))
      let task = Task { try await player.play(clip) }
      #expect(await eventually { player.position ?? 0 > 0.2 })
      server.control("suspend-sink", "other", "0")
      server.control("move-sink-input", "0", "other")
      #expect(try await task.value == .finished)
    }

    /// A socket that is connected to, but never read from.
    private func listen(at path: String) -> Int32? {
      let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      unsafe withUnsafeMutableBytes(of: &address.sun_path) { bytes in
        unsafe bytes.copyBytes(from: path.utf8)
      }
      let status = unsafe withUnsafePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      return status == 0 && Glibc.listen(descriptor, 4) == 0 ? descriptor : nil
    }
  }
}
