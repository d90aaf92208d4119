import PreviewCatalog
import Testing

struct TrackReferenceTests {
  struct Row: CustomTestStringConvertible {
    var text: String
    var expected: TrackReference
    var name = ""
    var testDescription: String { name.isEmpty ? text : name }
  }

  @Test(arguments: [
    Row(text: "Slayer - Raining Blood", expected: .words("Slayer - Raining Blood")),
    Row(text: "  raining\n blood\t", expected: .words("raining blood"), name: "blanks around"),
    Row(text: "AC/DC feat. R.E.M./X", expected: .words("AC/DC feat. R.E.M./X")),
    Row(text: "a\u{1B}[2J b", expected: .words("a [2J b"), name: "an escape is a blank"),
    Row(text: "isrc: the musical", expected: .words("isrc: the musical")),
    Row(text: "Re: Stacks", expected: .words("Re: Stacks")),
    Row(text: "music.apple.com", expected: .words("music.apple.com"), name: "a host alone"),
    Row(text: "USRC17607839", expected: .words("USRC17607839"), name: "a bare code is words"),
    Row(text: "itunes:1440833098", expected: .itunes(id: 1_440_833_098, country: nil)),
    Row(text: "iTunes:1440833098@GB", expected: .itunes(id: 1_440_833_098, country: "gb")),
    Row(text: "itunes:5@uk", expected: .itunes(id: 5, country: "gb"), name: "uk is gb"),
    Row(text: "deezer:3135556", expected: .deezer(id: 3_135_556)),
    Row(text: "local:1001", expected: .local(id: "1001")),
    Row(text: "local:tide-02.b_c", expected: .local(id: "tide-02.b_c")),
    Row(text: "isrc:us-rc1-76-07839", expected: .isrc("USRC17607839")),
    Row(text: "url:0123456789AB", expected: .urlID("0123456789ab")),
  ])
  func `ids and words`(row: Row) throws {
    #expect(try TrackReference(row.text) == row.expected)
  }

  static let song = TrackReference.itunes(id: 1_440_833_098, country: "us")

  @Test(arguments: [
    Row(text: "https://music.apple.com/us/album/slug/1440832000?i=1440833098", expected: song),
    Row(
      text: "https://music.apple.com/us/album/slug/1440832000?uo=4&i=1440833098#x", expected: song),
    Row(text: "https://music.apple.com/us/album/1440832000?i=1440833098", expected: song),
    Row(text: "https://music.apple.com/us/album/_/1440832000?i=1440833098", expected: song),
    Row(text: "https://music.apple.com/us/album/now!-82/1440832000?i=1440833098", expected: song),
    Row(text: "https://music.apple.com/us/album/%E2%82%AC/1?i=1440833098", expected: song),
    Row(text: "https://music.apple.com/us/album/beatbox-+-$/1?i=1440833098", expected: song),
    Row(text: "https://music.apple.com/us/album/été/1?i=1440833098", expected: song),
    Row(text: "HTTPS://Music.Apple.Com/US/album/slug/1?i=1440833098", expected: song),
    Row(text: "music.apple.com/us/album/slug/1?i=1440833098", expected: song),
    Row(text: "http://music.apple.com/us/song/slug/1440833098", expected: song),
    Row(text: "https://music.apple.com/us/song/1440833098?l=en", expected: song),
    Row(text: "https://music.apple.com/us/song/slug/id1440833098", expected: song),
    Row(text: "https://music.apple.com/us/song/slug/1440833098/", expected: song),
    Row(text: "https://music.apple.com/us/music-video/slug/1440833098", expected: song),
    Row(
      text: "https://geo.music.apple.com/us/album/x/1?i=1440833098&mt=1&app=music", expected: song),
    Row(text: "https://beta.music.apple.com/us/song/x/1440833098", expected: song),
    Row(text: "https://classical.music.apple.com/us/album/1?i=1440833098", expected: song),
    Row(text: "https://embed.music.apple.com/us/album/x/1?i=1440833098", expected: song),
    Row(text: "https://www.music.apple.com/us/album/x/1?i=1440833098", expected: song),
    Row(text: "https://itunes.apple.com/us/album/slug/id1440832000?i=1440833098", expected: song),
    Row(text: "https://itunes.apple.com/us/album/id1440832000?i=1440833098", expected: song),
    Row(text: "itmss://geo.itunes.apple.com/us/album/x/id1?i=1440833098&at=1", expected: song),
    Row(text: "https://itunes.apple.com/lookup?id=1440833098&country=us", expected: song),
    Row(text: "https://itunes.apple.com/us/lookup?id=1440833098", expected: song),
    Row(
      text: "https://music.apple.com/song/slug/1440833098",
      expected: .itunes(id: 1_440_833_098, country: nil)),
    Row(
      text: "https://itunes.apple.com/album/slug/id1?i=1440833098",
      expected: .itunes(id: 1_440_833_098, country: nil)),
    Row(text: "https://song.link/i/1440833098", expected: .itunes(id: 1_440_833_098, country: nil)),
    Row(text: "https://www.deezer.com/track/3135556", expected: .deezer(id: 3_135_556)),
    Row(text: "deezer.com/en-gb/track/3135556?utm_source=x#y", expected: .deezer(id: 3_135_556)),
    Row(text: "https://www.deezer.com/fr/track/3135556", expected: .deezer(id: 3_135_556)),
    Row(text: "deezer://www.deezer.com/track/3135556", expected: .deezer(id: 3_135_556)),
    Row(
      text: "Listen to “Song” by Artist: https://music.apple.com/us/album/x/1?i=1440833098.",
      expected: song, name: "words before a link and a stop behind it"),
    Row(
      text: "\u{2068}\u{FEFF}https://music.apple.com/us/song/x/1440833098\u{200B}\u{2069}",
      expected: song, name: "marks without width round a link"),
    Row(
      text: "<https://music.apple.com/us/song/x/1440833098> via Apple Music", expected: song,
      name: "a link in brackets and words behind it"),
  ])
  func `links of the services`(row: Row) throws {
    #expect(try TrackReference(row.text) == row.expected)
  }

  @Test(arguments: [
    Row(text: "https://a.example/b.mp3", expected: .url("https://a.example/b.mp3")),
    Row(text: "HTTP://A.Example:81/B.mp3#t=3", expected: .url("http://a.example:81/B.mp3")),
    Row(
      text: "https://a.example/b.mp3?x=%20&y=1", expected: .url("https://a.example/b.mp3?x=%20&y=1")
    ),
    Row(text: "https://a.example/é|b%.mp3", expected: .url("https://a.example/%C3%A9%7Cb%25.mp3")),
    Row(text: "http://[::1]:8080/a", expected: .url("http://[::1]:8080/a")),
    Row(text: "https://a.example/(b).mp3", expected: .url("https://a.example/(b).mp3")),
    Row(text: "hear https://a.example/b.mp3, now", expected: .url("https://a.example/b.mp3")),
    Row(text: "https://a.example/@b.mp3", expected: .url("https://a.example/@b.mp3")),
    Row(
      text: "https://not-music.apple.com.example/us/song/1",
      expected: .url("https://not-music.apple.com.example/us/song/1")),
  ])
  func `plain URLs`(row: Row) throws {
    #expect(try TrackReference(row.text) == row.expected)
  }

  struct Refusal: CustomTestStringConvertible {
    var text: String
    var expected: CatalogError
    var testDescription: String { text.debugDescription }
  }

  @Test(arguments: [
    Refusal(text: "", expected: .empty),
    Refusal(text: " \n\t", expected: .empty),
    Refusal(
      text: "https://music.apple.com/us/album/slug/1440832000",
      expected: .notOneTrack(kind: "an album")),
    Refusal(
      text: "https://itunes.apple.com/us/album/slug/id1440832000?i=",
      expected: .notOneTrack(kind: "an album")),
    Refusal(text: "album.link/i/1440832000", expected: .notOneTrack(kind: "an album")),
    Refusal(
      text: "https://music.apple.com/us/artist/x/1", expected: .notOneTrack(kind: "an artist")),
    Refusal(
      text: "https://music.apple.com/us/playlist/x/pl.u-1",
      expected: .notOneTrack(kind: "a playlist, which Apple shows only with a login")),
    Refusal(
      text: "https://music.apple.com/us/station/x/ra.1",
      expected: .notOneTrack(kind: "a station, which Apple shows only with a login")),
    Refusal(
      text: "https://music.apple.com/library/albums/l.x",
      expected: .notOneTrack(kind: "someone's library, which Apple shows only to them")),
    Refusal(
      text: "https://music.apple.com/us/song/slug",
      expected: .malformed(
        "https://music.apple.com/us/song/slug", expected: "a link with the number of a track")),
    Refusal(
      text: "https://music.apple.com/us/new",
      expected: .malformed("https://music.apple.com/us/new", expected: "the link of a track")),
    Refusal(
      text: "https://www.deezer.com/en/album/302127", expected: .notOneTrack(kind: "an album")),
    Refusal(
      text: "https://www.deezer.com/playlist/1", expected: .notOneTrack(kind: "a playlist")),
    Refusal(
      text: "https://www.deezer.com/track/x",
      expected: .malformed(
        "https://www.deezer.com/track/x", expected: "a number behind track/")),
    Refusal(
      text: "Hear this https://link.deezer.com/s/30abc",
      expected: .shortLink("https://link.deezer.com/s/30abc")),
    Refusal(text: "deezer.page.link/abc", expected: .shortLink("deezer.page.link/abc")),
    Refusal(
      text: "https://u:p@a.example/b.mp3",
      expected: .malformed(
        "https://u:p@a.example/b.mp3", expected: "a URL without a user name or password")),
    Refusal(
      text: "https://u@music.apple.com/us/song/1",
      expected: .malformed(
        "https://u@music.apple.com/us/song/1", expected: "a URL without a user name or password")),
    Refusal(
      text: "https://a.example/b c.mp3",
      expected: .malformed(
        "https://a.example/b c.mp3", expected: "a URL without blanks (write %20)")),
    Refusal(
      text: "https://",
      expected: .malformed(
        "https://", expected: "a URL of audio, as in https://example.org/clip.mp3")),
  ])
  func `what names no track says so`(refusal: Refusal) {
    #expect(throws: refusal.expected) { try TrackReference(refusal.text) }
  }

  @Test(arguments: [
    "itunes:x", "itunes:0", "itunes:-5", "itunes:5@", "itunes:5@usa", "itunes:99999999999999999999",
    "deezer:12a", "local:a/b", "isrc:USRC1760783", "isrc:1SRC17607839", "url:0123",
    "url:0123456789ag", "https://a.example/\u{1}b", "https://open.spotify.com/track/4",
    "spotify:track:4",
  ])
  func `a broken id is no search`(text: String) throws {
    let error = #expect(throws: CatalogError.self) { try TrackReference(text) }
    switch error {
    case .malformed?, .unsupported?: break
    default: Issue.record("\(String(describing: error))")
    }
  }

  @Test(arguments: [
    TrackReference.words("a - b"), .itunes(id: 5, country: nil), .itunes(id: 5, country: "de"),
    .deezer(id: 7), .local(id: "a-1"), .isrc("USRC17607839"), .url("https://a.example/b%20c?d"),
    .urlID("0123456789ab"),
  ])
  func `the description names the same track again`(reference: TrackReference) throws {
    #expect(try TrackReference(reference.description) == reference)
  }

  @Test func `whatever is typed, what was read of it is read the same again`() throws {
    let pieces = [
      "itunes:", "isrc:", "url:", "http://", "https://", "music.apple.com/", "deezer.com/", "us/",
      "album/", "track/", "?i=", "@", "%", "%2", "7", "#", "&", " ", " - ", "é", "\u{301}", "\u{0}",
      "(", "\"", ".", "/", "a",
    ]
    var seed: UInt64 = 1
    var readable = 0
    for _ in 0..<3000 {
      var text = ""
      for _ in 0..<6 {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        text += pieces[Int(seed >> 33) % pieces.count]
      }
      guard let reference = try? TrackReference(text) else { continue }
      readable += 1
      let again = Result { () throws(CatalogError) in try TrackReference(reference.description) }
      #expect(again == .success(reference), "\(text.debugDescription)")
    }
    #expect(readable > 1000)
  }

  @Test func `the id of a track needs no country, and a URL's is the same in every run`() {
    #expect(TrackReference.itunes(id: 5, country: "de").trackID == "itunes:5")
    #expect(TrackReference.words("a").trackID == nil)
    // FNV-1a of "foobar", from RFC 9923's test values, cut to 12 digits.
    #expect(Track(url: "foobar").id == "url:85944171f739")
    #expect(Track(url: "http://a/b#c").id == Track(url: "http://a/b").id)
    #expect(TrackReference.url("http://a/b").trackID == Track(url: "http://a/b").id)
  }

  @Test(arguments: [
    ("https://a.example/x/My%20Song.mp3?k=v", "My Song.mp3"), ("https://a.example/x/", "x"),
    ("https://a.example", "a.example"), ("https://a.example/%FF.mp3", "\u{FFFD}.mp3"),
  ])
  func `a plain URL's title is the last part of its path`(url: String, title: String) {
    let track = Track(url: url)
    #expect(track.title == title)
    #expect(track.artist.isEmpty)
    #expect(track.previewURL == url)
  }
}
