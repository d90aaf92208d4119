import PreviewDownloads
import Testing

@testable import preview

struct LineTests {
  @Test(arguments: [1, 8, 19, 20, 40, 60, 80, 120, 200])
  func `the progress line never reaches the last column`(width: Int) {
    let states: [DownloadState] = [
      .waiting, .downloading(Progress(received: 300_000, expected: 1_000_000)),
      .downloading(Progress(received: 300_000)), .paused(Progress(received: 1, expected: 2)),
      .failed(DownloadFailure(.offline, "no"), Progress()),
    ]
    for state in states {
      for name in ["A - B", "日本語のとても長い名前のアーティスト - 曲", String(repeating: "x", count: 300)] {
        let status = ProgressLine.Status(
          name: name, state: state, rate: 1_200_000, done: 3, count: 20)
        let line = ProgressLine.text(status, width: width)
        #expect(DisplayText.width(line) < max(width, 1) || line.isEmpty)
        #expect(!line.contains("\n"))
      }
    }
  }

  @Test func `a wide terminal shows all of it`() {
    let status = ProgressLine.Status(
      name: "A - B", state: .downloading(Progress(received: 500_000, expected: 1_000_000)),
      rate: 250_000)
    #expect(
      ProgressLine.text(status, width: 120).split(separator: " ").joined(separator: " ")
        == "A - B █████░░░░░ 50 % 250 kB/s 2 s left space pauses, c cancels, q leaves")
  }

  @Test func `without a length there is no percentage`() {
    let status = ProgressLine.Status(
      name: "A - B", state: .downloading(Progress(received: 500_000)))
    let line = ProgressLine.text(status, width: 100)
    #expect(line.contains("500 kB"))
    #expect(!line.contains("%"))
  }

  @Test(arguments: [
    ("plain", "plain"), ("a\u{1B}[31mred", "a [31mred"), ("two\nlines\r", "two lines "),
    ("turned\u{202E}round", "turnedround"), ("nul\u{0}", "nul "),
  ])
  func `what a catalog says cannot steer the terminal`(text: String, expected: String) {
    #expect(DisplayText.clean(text) == expected)
  }

  @Test(arguments: [("abc", 3), ("日本", 4), ("e\u{301}", 1), ("👍", 2), ("", 0)])
  func `columns are those a terminal uses`(text: String, columns: Int) {
    #expect(DisplayText.width(text) == columns)
  }

  @Test func `JSON escapes what it must`() {
    let line = JSONLine(["a": .text("q\"b\\n\n\u{1}ü"), "n": .number(nil), "x": .decimal(1.5)])
    #expect(line.text == #"{"a":"q\"b\\n\n\u0001ü","n":null,"x":1.5}"#)
  }

  @Test func `a time is written as ISO 8601 says`() {
    #expect(Timestamp.text(0) == "1970-01-01T00:00:00Z")
    #expect(Timestamp.text(1_767_225_599) == "2025-12-31T23:59:59Z")
  }

  @Test func `a table gives way in one column`() {
    let table = Table(
      columns: ["ID", "TRACK"], rows: [["itunes:1", "a very long title indeed"]], flexible: 1)
    #expect(table.lines(width: 20) == ["ID        TRACK", "itunes:1  a very lo…"])
    #expect(table.lines(width: .max)[1] == "itunes:1  a very long title indeed")
  }

  @Test(arguments: [
    ([0x20], [Key.character(" ")]), ([0x1B, 0x5B, 0x43], [.right]), ([0x1B, 0x4F, 0x44], [.left]),
    ([0x1B], []), ([0x71, 0x1B, 0x5B, 0x41], [.character("q"), .up]),
    ([0x1B, 0x5B, 0x33, 0x7E], []),
  ])
  func `bytes of a terminal are keys`(bytes: [UInt8], keys: [Key]) {
    #expect(Keyboard.keys(in: bytes) == keys)
  }
}
