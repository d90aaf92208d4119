import Testing

@testable import PreviewPlayback

@Suite(.timeLimit(.minutes(2)))
struct BadInputTests {
  /// Bytes that are no clip, and what is to be said of them.
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let bytes: @Sendable () throws -> [UInt8]
    let isExpected: @Sendable (PlaybackError) -> Bool
    var testDescription: String { name }
  }

  private static func fixture(_ name: String) throws -> [UInt8] {
    bytes(of: try Fixtures.path(name))
  }

  private static func text(_ name: String, _ text: String, is words: String) -> Case {
    Case(name: name, bytes: { Array(text.utf8) }) { $0 == .notAudio(found: words) }
  }

  private static func random(_ count: Int) -> [UInt8] {
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    return (0..<count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 56)
    }
  }

  static let cases = [
    text("page.m4a", " <!DOCTYPE html><html><body>Not found</body></html>", is: "a web page"),
    text("error.m4a", "{\"errorMessage\": \"none\"}", is: "JSON text"),
    text("error.xml.mp3", "<?xml version='1.0'?><Error/>", is: "XML text"),
    text("list.m4a", "#EXTM3U\nhttp://127.0.0.1/clip.m4a\n", is: "a playlist"),
    text("words.mp3", "just words\n", is: "plain text"),
    text("empty.m4a", "", is: "an empty file"),
    Case(name: "zeros.m4a", bytes: { Array(repeating: 0, count: 5000) }) {
      $0 == .notAudio(found: "a file of zeros")
    },
    Case(
      name: "picture.m4a",
      bytes: { [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + random(500) }
    ) {
      $0 == .notAudio(found: "a PNG picture")
    },
    Case(name: "random.m4a", bytes: { random(100_000) }) { error in
      if case .notAudio = error { true } else { false }
    },
    Case(name: "random.mp3", bytes: { random(100_000) }) { error in
      switch error {
      case .notAudio, .damaged, .noSound: true
      default: false
      }
    },
    Case(name: "tag-only.mp3", bytes: { Array("ID3".utf8) + [4, 0, 0, 0, 0, 1, 0] + random(128) }) {
      $0 == .notAudio(found: "something that holds no MPEG audio")
    },
    Case(
      name: "half, described first.m4a",
      bytes: {
        let whole = try fixture("faststart.m4a")
        return Array(whole.prefix(whole.count / 2))
      }
    ) { error in
      guard case .truncated(let decoded, let declared?) = error else { return false }
      return abs(declared - 10) < 0.1 && decoded > 3 && decoded < 7
    },
    Case(
      name: "half, described last.m4a",
      bytes: {
        let whole = try fixture("aac.m4a")
        return Array(whole.prefix(whole.count / 2))
      }
    ) { $0 == .truncated(decodedSeconds: 0, declaredSeconds: nil) },
    Case(
      name: "half.mp3",
      bytes: {
        let whole = try fixture("vbr.mp3")
        return Array(whole.prefix(whole.count / 2))
      }
    ) { error in
      guard case .truncated(let decoded, let declared?) = error else { return false }
      return abs(declared - 10) < 0.2 && decoded > 3 && decoded < 7
    },
    Case(
      name: "half.flac",
      bytes: {
        let whole = try fixture("flac.flac")
        return Array(whole.prefix(whole.count / 2))
      }
    ) { if case .truncated = $0 { true } else { false } },
    Case(
      name: "half.wav",
      bytes: {
        let whole = try fixture("pcm.wav")
        return Array(whole.prefix(whole.count / 2))
      }
    ) { if case .truncated = $0 { true } else { false } },
    Case(
      name: "zero tail.m4a",
      bytes: {
        let whole = try fixture("faststart.m4a")
        return whole.prefix(whole.count / 2) + Array(repeating: 0, count: whole.count / 2)
      }
    ) { error in
      switch error {
      case .truncated, .damaged: true
      default: false
      }
    },
    Case(
      name: "zero tail.mp3",
      bytes: {
        let whole = try fixture("headerless.mp3")
        return whole.prefix(whole.count / 2) + Array(repeating: 0, count: whole.count / 2)
      }
    ) { if case .truncated = $0 { true } else { false } },
    Case(
      name: "media missing.m4a",
      bytes: {
        let whole = try fixture("fragmented.m4a")
        return Array(
          whole.prefix(whole.firstRange(of: Array("moof".utf8))?.lowerBound ?? 4).dropLast(4))
      }
    ) { $0 == .noSound },
    Case(name: "encrypted.m4a", bytes: { try fixture("encrypted.m4a") }) { $0 == .encrypted },
    Case(
      name: "FairPlay.m4a",
      bytes: {
        var bytes = try fixture("aac.m4a")
        let entry = try #require(bytes.firstRange(of: Array("mp4a".utf8)))
        bytes.replaceSubrange(entry, with: Array("drms".utf8))
        return bytes
      }
    ) { $0 == .encrypted },
    Case(name: "video.mp4", bytes: { try fixture("video.mp4") }) { $0 == .noAudioStream },
  ]

  private static let decoder = AudioDecoder()

  @Test(arguments: cases)
  func `is refused with its reason`(_ row: Case) async throws {
    let path = Fixtures.newPath("bad-\(row.name)")
    write(try row.bytes(), to: path)
    do throws(PlaybackError) {
      let clip = try await Self.decoder.decode(path)
      Issue.record("decoded \(clip.frameCount) frames")
    } catch {
      #expect(row.isExpected(error), "\(error)")
      #expect(error.message.hasSuffix("."))
    }
  }

  @Test func `what is no file is unreadable`() async throws {
    await #expect(throws: PlaybackError.unreadable(path: "/nowhere/clip.m4a", errno: 2)) {
      try await Self.decoder.decode("/nowhere/clip.m4a")
    }
    await #expect(throws: PlaybackError.unreadable(path: "/tmp", errno: 21)) {
      try await Self.decoder.decode("/tmp")
    }
    let pipe = Fixtures.newPath("pipe")
    Program.run("mkfifo", pipe)
    await #expect(throws: PlaybackError.unreadable(path: pipe, errno: 22)) {
      try await Self.decoder.decode(pipe)
    }
  }

  /// Whatever is made of them, it is made without a crash and without a hang.
  @Test(arguments: ["aac.m4a", "cbr.mp3", "flac.flac", "vorbis.ogg", "pcm.caf", "fragmented.m4a"])
  func `bytes that are wrong here and there do no harm`(_ name: String) async throws {
    let whole = try Self.fixture(name)
    let noise = Self.random(4000)
    for round in 0..<8 {
      var bytes = whole
      for index in 0..<200 {
        let offset = (Int(noise[index * 3 + round]) << 8 | Int(noise[index * 3 + round + 1])) &* 7
        bytes[offset % bytes.count] = noise[index + 1000 + round]
      }
      let path = Fixtures.newPath("wrong-\(round)-\(name)")
      write(bytes, to: path)
      _ = try? await Self.decoder.decode(path)
    }
  }
}
