import Testing

@testable import PreviewPlayback

/// Files that others made, where they are beside the project.
@Suite(.timeLimit(.minutes(5)))
struct CaseFileTests {
  /// One line of the list of files.
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let rate: Int
    let channelCount: Int
    let isMPEG: Bool
    let frameCount: Int
    var testDescription: String { name }
  }

  private static let directory = "../shared/cases/audio"

  /// Where the file says how much is to be heard, and libav's decoder makes more.
  private static let trimmed = [
    "aac-15s-silence48k.mp4": 720_864, "aac-16k-mono.mp4": 16_000,
    "aac-22k-mono-16s.3g2": 330_750, "aac-22k-mono.m4a": 36_074, "aac-8k-mono.m4a": 24_000,
    "aac-editlist-long.mp4": 68_267, "aac-mdat-before-moov.m4a": 11_187,
    "aac-soundcheck-nonascii.m4a": 44_100, "aaclc-10s-vbr.m4a": 449_335,
    "aaclc-27s-stereo.m4a": 1_208_252, "apple-afconvert-0.5s.m4a": 22_050,
    "opus-in-mp4.m4a": 48_000,
  ]

  static let cases: [Case] = {
    let table = String(decoding: bytes(of: "\(directory)/INDEX.tsv"), as: UTF8.self)
    let rows = table.split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
    guard let header = rows.first else { return [] }
    return rows.dropFirst().compactMap { row in
      let value = Dictionary(uniqueKeysWithValues: zip(header, row))
      guard let name = value["file"], let rate = value["rate"].flatMap({ Int($0) }),
        let channelCount = value["channels"].flatMap({ Int($0) })
      else { return nil }
      let mpeg = value["libmpg123_samples"].flatMap { Int($0) }
      let libav = value["libav_api_samples"].flatMap { Int($0) }
      return (mpeg ?? trimmed[name] ?? libav).map {
        Case(
          name: name, rate: rate, channelCount: channelCount, isMPEG: mpeg != nil, frameCount: $0)
      }
    }
  }()

  private static let decoder = AudioDecoder()

  @Test(
    .enabled("skipped: there is no \(directory)") { !cases.isEmpty }, arguments: cases)
  func `has the frames and samples of the reference`(_ file: Case) async throws {
    let path = "\(Self.directory)/\(file.name)"
    let clip = try await Self.decoder.decode(path)
    #expect(clip.frameCount == file.frameCount)
    #expect(clip.format.sampleRate == file.rate)
    #expect(clip.format.channelCount == file.channelCount)

    var reference = Reference.samples(of: path, isMPEG: file.isMPEG)
    if file.name == "mp3-conformance-hemode.mp3" {
      // It begins in mono and goes on in stereo: the clip has the mean of left and right.
      let stereo = Reference.samples(of: path, isMPEG: true, options: ["--stereo"])
      reference = stride(from: 0, to: stereo.count, by: 2).map {
        (stereo[$0] + stereo[$0 + 1]) / 2
      }
    }
    #expect(reference.count >= clip.samples.count)
    #expect(Reference.difference(clip.samples, reference) <= 2e-4)
  }
}
