import Testing

@testable import PreviewPlayback

@Suite(.timeLimit(.minutes(1)))
struct MovieTimingTests {
  /// What a file says of its length, and how many frames of it are to be heard.
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let file: String
    var sampleRate = 44_100
    var timescale = 44_100
    var tag: String?
    let frames: Int?
  }

  private static let tag = " 00000000 00000840 0000037C 0000000000010000 00000000 00000000"

  static let cases = [
    Case(testDescription: "an edit list", file: "aac.m4a", frames: 88_200),
    Case(testDescription: "an edit list before a tag", file: "aac.m4a", tag: tag, frames: 88_200),
    Case(testDescription: "neither", file: "no-edits.m4a", frames: nil),
    Case(testDescription: "a tag", file: "no-edits.m4a", tag: tag, frames: 65_536),
    Case(
      testDescription: "a tag in the rate of the core of HE-AAC", file: "no-edits.m4a",
      timescale: 22_050, tag: tag, frames: 131_072),
    Case(testDescription: "a tag without words", file: "no-edits.m4a", tag: "0 0", frames: nil),
    Case(
      testDescription: "a tag beyond all numbers", file: "no-edits.m4a",
      tag: "0 0 0 7FFFFFFFFFFFFFFF", frames: nil),
    Case(testDescription: "fragments, which have no length", file: "fragmented.m4a", frames: nil),
  ]

  @Test(arguments: cases)
  func `says how much is to be heard`(_ row: Case) throws {
    let file = try AudioFile(path: Fixtures.path(row.file))
    let timing = try MovieTiming(of: file)
    #expect(timing.hasDescription && !timing.isCut)
    #expect(
      timing.presentedFrames(
        ofTrack: 1, at: row.sampleRate, timescale: row.timescale, iTunSMPB: row.tag) == row.frames)
  }
}
