import LoopbackServer
import PreviewCatalog
import PreviewTransport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ITunesCatalogTests {
  static let tide = song(7, "Low Tide", by: "The Example")

  static func song(_ id: Int, _ title: String, by artist: String, kind: String = "song") -> String {
    """
    {"wrapperType":"track","kind":"\(kind)","trackId":\(id),"trackName":"\(title)",
    "artistName":"\(artist)","previewUrl":"https://a.example/\(id).m4a"}
    """
  }

  static func answer(_ songs: String...) -> Answer {
    Answer(
      ["Content-Type": "text/javascript; charset=utf-8"],
      text:
        "\n\n\n{\"resultCount\":\(songs.count),\"results\":[\(songs.joined(separator: ","))]}\n\n")
  }

  static func catalog(_ server: LoopbackServer) -> ITunesCatalog {
    ITunesCatalog(
      client: HTTPClient(), baseURL: server.url("/"), country: "US", retryPause: .zero)
  }

  @Test func `words are searched for in songs of the store, and the fitting one is taken`()
    async throws
  {
    let server = try LoopbackServer { _ in
      Self.answer(
        Self.song(5, "Low Tide", by: "Another", kind: "music-video"), Self.song(6, "Low", by: "X"),
        Self.tide)
    }
    let track = try await Self.catalog(server).track(for: .words("Example & Co. - Low Tide"))
    #expect(track.id == "itunes:7")
    #expect(track.previewURL == "https://a.example/7.m4a")
    #expect(track.credit == "provided courtesy of iTunes")
    #expect(track.country == "us")
    #expect(
      server.requests.map(\.target) == [
        "/search?term=Example+%26+Co.+Low+Tide&media=music&entity=song&limit=25&country=us"
      ])
  }

  @Test func `a search shows the best first and no more than asked for`() async throws {
    let server = try LoopbackServer { _ in
      Self.answer(Self.song(5, "Other", by: "X"), Self.song(6, "Else", by: "X"), Self.tide)
    }
    let tracks = try await Self.catalog(server).search("low tide", limit: 2)
    #expect(tracks.map(\.id) == ["itunes:7", "itunes:5"])
    _ = try await Self.catalog(server).search("é", limit: 500)
    #expect(
      server.requests.last?.target
        == "/search?term=%C3%A9&media=music&entity=song&limit=200&country=us")
  }

  @Test func `a choice by number is among those an ambiguous answer shows, in its order`()
    async throws
  {
    let server = try LoopbackServer { _ in
      Self.answer(
        Self.song(1, "Else", by: "X"), Self.song(2, "Tide", by: "B"), Self.song(3, "Tide", by: "C"))
    }
    let catalog = Self.catalog(server)
    let error = await #expect(throws: CatalogError.self) {
      try await catalog.track(for: .words("tide"))
    }
    let candidates = try await catalog.candidates(for: .words("tide"))
    #expect(candidates.map(\.id) == ["itunes:2", "itunes:3", "itunes:1"])
    #expect(error == .ambiguous(asked: "tide", candidates: Array(candidates.prefix(2))))
  }

  @Test func `an id is looked up in the link's own store`() async throws {
    let server = try LoopbackServer { _ in Self.answer(Self.tide) }
    let catalog = Self.catalog(server)
    for text in ["itunes:7", "https://music.apple.com/gb/album/x/1?i=7"] {
      #expect(try await catalog.track(for: TrackReference(text)).id == "itunes:7")
    }
    #expect(
      server.requests.map(\.target) == ["/lookup?id=7&country=us", "/lookup?id=7&country=gb"])
  }

  struct Lookup: CustomTestStringConvertible {
    var name: String
    var elements: String
    var expected: Result<String, CatalogError>
    var testDescription: String { name }
  }

  static let unknown = CatalogError.noMatch(
    asked: "itunes:7@us", hint: "try another store, as in itunes:7@gb or --country gb")

  @Test(arguments: [
    Lookup(name: "nothing", elements: "", expected: .failure(unknown)),
    Lookup(
      name: "another song", elements: song(8, "A", by: "B"), expected: .failure(unknown)),
    Lookup(
      name: "a song among others",
      elements: [song(8, "A", by: "B"), song(7, "Video", by: "B", kind: "music-video"), tide]
        .joined(separator: ","),
      expected: .success("Low Tide")),
    Lookup(
      name: "a music video alone", elements: song(7, "Video", by: "B", kind: "music-video"),
      expected: .success("Video")),
    Lookup(
      name: "an ebook", elements: song(7, "Book", by: "B", kind: "ebook"),
      expected: .failure(unknown)),
    Lookup(
      name: "an album", elements: "{\"wrapperType\":\"collection\",\"collectionId\":7}",
      expected: .failure(.notOneTrack(kind: "an album"))),
    Lookup(
      name: "an artist", elements: "{\"wrapperType\":\"artist\",\"artistId\":7}",
      expected: .failure(.notOneTrack(kind: "an artist"))),
    Lookup(
      name: "no preview",
      elements: "{\"kind\":\"song\",\"trackId\":7,\"trackName\":\"A\",\"artistName\":\"B\"}",
      expected: .failure(
        .noPreview(
          Track(
            id: "itunes:7", title: "A", artist: "B", country: "us",
            credit: "provided courtesy of iTunes")))),
  ])
  func `only a song with that id is a hit`(lookup: Lookup) async throws {
    let server = try LoopbackServer { _ in Self.answer(lookup.elements) }
    let catalog = Self.catalog(server)
    do throws(CatalogError) {
      let track = try await catalog.track(for: .itunes(id: 7, country: nil))
      #expect(Result.success(track.title) == lookup.expected)
    } catch {
      #expect(Result.failure(error) == lookup.expected)
    }
  }

  @Test func `an empty 403 is asked once more`() async throws {
    let server = try LoopbackServer { request in
      request.ordinal == 0 ? Answer(status: 403) : Self.answer(Self.tide)
    }
    #expect(try await Self.catalog(server).track(for: .words("low tide")).id == "itunes:7")
    #expect(server.requests.count == 2)
    #expect(server.requests.first?.target == server.requests.last?.target)
  }

  struct Failure: CustomTestStringConvertible {
    var name: String
    var answer: Answer
    var expected: CatalogError
    var requests: Int
    var testDescription: String { name }
  }

  @Test(arguments: [
    Failure(
      name: "throttled twice", answer: Answer(status: 403), expected: .throttled(retryAfter: nil),
      requests: 2),
    Failure(
      name: "throttled for a minute", answer: Answer(status: 429, ["Retry-After": "60"]),
      expected: .throttled(retryAfter: 60), requests: 1),
    Failure(
      name: "a message", answer: Answer(status: 400, text: "{\"errorMessage\":\"[country]\"}"),
      expected: .refused("[country]"), requests: 1),
    Failure(
      name: "a web page", answer: Answer(text: "<html>"), expected: .server("it is not JSON"),
      requests: 1),
    Failure(
      name: "a redirect into an app", answer: .redirect(to: "musics://itunes.apple.com/x"),
      expected: .redirect("a redirect to 'musics:'"), requests: 1),
  ])
  func `a failure is no answer of nothing found`(failure: Failure) async throws {
    let server = try LoopbackServer { _ in failure.answer }
    await #expect(throws: failure.expected) {
      try await Self.catalog(server).track(for: .words("low tide"))
    }
    #expect(server.requests.count == failure.requests)
  }

  @Test func `a server that is not there is offline`() async throws {
    let server = try LoopbackServer { _ in Self.answer() }
    let catalog = Self.catalog(server)
    server.stop()
    let error = await #expect(throws: CatalogError.self) {
      try await catalog.search("a", limit: 5)
    }
    #expect(error?.reason == "offline")
  }

  @Test(arguments: ["deezer:3", "isrc:USRC17607839", "local:3", "url:0123456789ab"])
  func `what iTunes cannot look up is said without a request`(text: String) async throws {
    let server = try LoopbackServer { _ in Self.answer() }
    let reference = try TrackReference(text)
    let error = await #expect(throws: CatalogError.self) {
      try await Self.catalog(server).track(for: reference)
    }
    guard case .unsupported? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(server.requests.isEmpty)
  }
}
