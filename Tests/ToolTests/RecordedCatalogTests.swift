import Glibc
import LoopbackServer
import Testing

/// The program against a catalog's real answers, as recorded, and a real clip.
@Suite(.timeLimit(.minutes(1)))
struct RecordedCatalogTests {
  static let cases = ProcessTests.project + "/../shared/cases"
  static let clip = bytes(ofFile: cases + "/audio/aaclc-27s-stereo.m4a") ?? []
  static let areHere = !clip.isEmpty

  @Test(
    .enabled(if: areHere, "no folder of recorded answers"),
    arguments: [
      "raining blood slayer", "itunes:1038991877",
      "https://music.apple.com/gb/album/raining-blood/1038991417?i=1038991877",
    ])
  func `a recorded answer leads to the clip, and to sound`(asked: String) async throws {
    let server = try LoopbackServer { request in
      let host = request["host"] ?? ""
      switch request.path {
      case "/search": return Self.recorded("songs", host)
      case "/lookup": return Self.recorded("song", host)
      default: return Resource(Self.clip).answer(to: request)
      }
    }
    var tool = Tool()
    defer { tool.cleanUp() }
    tool.environment["PREVIEW_ITUNES_URL"] = server.url("")
    let downloaded = try await tool.run("download", asked)
    #expect(downloaded.code == 0, "\(downloaded.errors)")
    #expect(downloaded.lines == [tool.media + "/Slayer - Raining Blood [itunes-1038991877].m4a"])
    #expect(bytes(ofFile: downloaded.lines.first ?? "")?.elementsEqual(Self.clip) == true)
    #expect(downloaded.errors.contains("https://itunes.apple.com/gb/album/"))

    let listened = try await tool.run("listen", asked, "--output", tool.folder + "/a.wav")
    #expect(listened.code == 0, "\(listened.errors)")
    // 1,208,320 sample frames less the padding that the edit list cuts off, two channels of 4 bytes.
    let size = try #require(bytes(ofFile: tool.folder + "/a.wav")?.count)
    #expect((1_200_000 * 8...1_208_320 * 8 + 100).contains(size))
    #expect(server.requests.count == 2)
  }

  /// A recorded answer, its preview addresses led to this server.
  private static func recorded(_ name: String, _ host: String) -> Answer {
    let text = text(ofFile: cases + "/catalog/itunes/\(name).json")
    let mark = "\"previewUrl\":\""
    var result = ""
    var rest = text[...]
    while let start = rest.firstRange(of: mark) {
      result += rest[..<start.upperBound] + "http://\(host)/clip.m4a"
      rest = rest[start.upperBound...].drop { $0 != "\"" }
    }
    return Answer(["Content-Type": "text/javascript; charset=utf-8"], text: result + rest)
  }
}

extension Substring {
  fileprivate func firstRange(of pattern: String) -> Range<Index>? {
    var start = startIndex
    while let candidate = self[start...].firstIndex(of: pattern[pattern.startIndex]) {
      if self[candidate...].hasPrefix(pattern) {
        return candidate..<index(candidate, offsetBy: pattern.count)
      }
      start = index(after: candidate)
    }
    return nil
  }
}
