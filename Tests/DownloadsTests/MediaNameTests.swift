@testable import PreviewDownloads
import PreviewMedia
import Testing

@Suite(.timeLimit(.minutes(1)))
struct MediaNameTests {
  static func track(_ artist: String, _ title: String, id: String = "itunes:1") -> ClipSource {
    ClipSource(id: id, title: title, artist: artist, url: "http://127.0.0.1/a")
  }

  static func clip(_ name: String) -> ClipSource { track("", name, id: "url:0123456789ab") }

  struct Row: CustomTestStringConvertible {
    var testDescription: String
    var source: ClipSource
    var kind = MediaKind.mp4
    var name: String
  }

  static let rows: [Row] = [
    Row(testDescription: "plain", source: track("A", "T"), name: "A - T [itunes-1].m4a"),
    Row(
      testDescription: "extension by the bytes", source: track("A", "T"), kind: .mpegAudio,
      name: "A - T [itunes-1].mp3"),
    Row(
      testDescription: "traversal", source: track("../../etc", "passwd"),
      name: "etc - passwd [itunes-1].m4a"),
    Row(
      testDescription: "slashes and NUL", source: track("AC/DC", "a\0b/c"),
      name: "AC-DC - ab-c [itunes-1].m4a"),
    Row(
      testDescription: "NFD becomes NFC", source: track("Bjo\u{308}rk", "Jo\u{301}ga"),
      name: "Bj\u{F6}rk - J\u{F3}ga [itunes-1].m4a"),
    Row(
      testDescription: "control and bidi characters",
      source: track("A\u{202E}B\u{2066}", "T\u{7}\u{1B}[2J\u{200F}\u{FEFF}"),
      name: "AB - T[2J [itunes-1].m4a"),
    Row(
      testDescription: "line breaks", source: track("A\r\nB", "T\u{2028}U"),
      name: "AB - TU [itunes-1].m4a"),
    Row(
      testDescription: "leading dots and dashes", source: track("..-. -A", "T"),
      name: "A - T [itunes-1].m4a"),
    Row(
      testDescription: "leading dot that carries a mark", source: track(".\u{301}A", "T"),
      name: "\u{301}A - T [itunes-1].m4a"),
    Row(
      testDescription: "leading dash that carries a joiner", source: track("-\u{200D}A", "T"),
      name: "A - T [itunes-1].m4a"),
    Row(
      testDescription: "trailing blanks and dots", source: track("A", "T. . ."),
      name: "A - T [itunes-1].m4a"),
    Row(
      testDescription: "blanks of all kinds", source: track("A\u{A0}\u{2003}B", " T "),
      name: "A B - T [itunes-1].m4a"),
    Row(
      testDescription: "emoji keep their joiners",
      source: track("\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", "T"),
      name: "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467} - T [itunes-1].m4a"),
    Row(
      testDescription: "nothing left", source: track("\u{202E}", "\u{202E}"),
      name: "untitled [itunes-1].m4a"),
    Row(
      testDescription: "an id with odd characters", source: track("A", "T", id: "local:a/b c"),
      name: "A - T [local-a-b-c].m4a"),
    Row(testDescription: "URL name", source: clip("x.plus.aac.p.m4a"), name: "x.plus.aac.p.m4a"),
    Row(
      testDescription: "URL name that lies", source: clip("x.m4a"), kind: .mpegAudio, name: "x.mp3"),
    Row(testDescription: "URL name of the same family", source: clip("x.m4v"), name: "x.m4v"),
    Row(testDescription: "URL name in capitals", source: clip("X.MP4"), name: "X.mp4"),
    Row(
      testDescription: "URL name without extension", source: clip("preview"), name: "preview.m4a"),
    Row(
      testDescription: "URL name with another extension", source: clip("get.php"),
      name: "get.php.m4a"),
    Row(testDescription: "URL name that is empty", source: clip(""), name: "untitled.m4a"),
    Row(
      testDescription: "URL name that is an extension", source: clip(".m4a"), name: "untitled.m4a"),
    Row(testDescription: "URL name that climbs", source: clip(".."), name: "untitled.m4a"),
  ]

  @Test(arguments: rows) func `a name is fit for a file`(row: Row) throws {
    let name = try #require(MediaName.candidates(for: row.source, kind: row.kind).first)
    #expect(Array(name.unicodeScalars) == Array(row.name.unicodeScalars))
  }

  struct LongRow: CustomTestStringConvertible {
    var testDescription: String
    var source: ClipSource
  }

  static let long: [LongRow] = [
    LongRow(
      testDescription: "300 letters", source: track("A", String(repeating: "t", count: 300))),
    LongRow(
      testDescription: "300 letters of two bytes",
      source: track("A", String(repeating: "\u{E9}", count: 300))),
    LongRow(
      testDescription: "300 letters of three bytes",
      source: track("AB", String(repeating: "\u{97F3}", count: 300))),
    LongRow(
      testDescription: "families",
      source: track(
        "A", String(repeating: "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", count: 60))),
    LongRow(
      testDescription: "one letter with 300 marks",
      source: track("a" + String(repeating: "\u{301}", count: 300), "T")),
    LongRow(
      testDescription: "a URL's long name", source: clip(String(repeating: "\u{97F3}", count: 300))),
    LongRow(
      testDescription: "a URL's one letter with 300 marks",
      source: clip("a" + String(repeating: "\u{301}", count: 300))),
  ]

  @Test(arguments: long) func `a long name is cut at a character and keeps its id`(row: LongRow) {
    let whole =
      row.source.artist.isEmpty
      ? row.source.title : "\(row.source.artist) - \(row.source.title)"
    for (index, name) in MediaName.candidates(for: row.source, kind: .flac).enumerated() {
      #expect(name.utf8.count <= 255)
      #expect(name.hasSuffix(".flac"))
      #expect(name.first != "." && name.first != " ")
      let stem = name.prefix { $0 != "[" && $0 != "." }.split(separator: " (")[0]
        .reversed().drop { $0 == " " }.reversed()
      let start = whole.prefix(stem.count)
      #expect(String(stem) == "untitled" || String(stem) == String(start))
      if index > 0 || !row.source.artist.isEmpty {
        #expect(MediaName.fileID(in: name) == row.source.fileID)
      }
    }
  }

  @Test func `a name without room is empty`() {
    #expect(MediaName.cut("abc", to: -5) == "")
  }

  @Test func `a taken name is followed by one with the id, then by numbers`() {
    #expect(
      Array(MediaName.candidates(for: Self.track("A", "T"), kind: .mp4).prefix(3)) == [
        "A - T [itunes-1].m4a", "A - T (2) [itunes-1].m4a", "A - T (3) [itunes-1].m4a",
      ])
    #expect(
      Array(MediaName.candidates(for: Self.clip("x.m4a"), kind: .mp4).prefix(3)) == [
        "x.m4a", "x [url-0123456789ab].m4a", "x (2) [url-0123456789ab].m4a",
      ])
  }

  struct FoundRow: CustomTestStringConvertible {
    var name: String
    var source: ClipSource?
    var testDescription: String { name }
  }

  static let found: [FoundRow] = [
    FoundRow(
      name: "A - T [itunes-1].m4a",
      source: ClipSource(id: "itunes:1", title: "T", artist: "A", url: "")),
    FoundRow(
      name: "A - T - U [live] [deezer-7].mp3",
      source: ClipSource(id: "deezer:7", title: "T - U [live]", artist: "A", url: "")),
    FoundRow(
      name: "x [url-0123456789ab].m4a",
      source: ClipSource(id: "url:0123456789ab", title: "x", artist: "", url: "")),
    FoundRow(name: "A - T [live].m4a"), FoundRow(name: "A - T.m4a"), FoundRow(name: "[itunes-1]"),
    FoundRow(name: "itunes-1].m4a"), FoundRow(name: ""),
  ]

  @Test(arguments: found) func `a name tells whose clip it is`(row: FoundRow) {
    #expect(ClipSource(fileName: row.name) == row.source)
  }
}
