import FoundationEssentials
import Testing

@testable import PreviewCatalog
@testable import PreviewTransport

struct CatalogAnswerTests {
  /// Real answers lie beside a checkout of the project, when they are there at all.
  static let recorded = "../shared/cases/catalog/itunes/"
  static var isRecorded: Bool { FileManager.default.fileExists(atPath: recorded) }

  struct Recording: CustomTestStringConvertible {
    var file: String
    var elements: Int
    var songs: Int
    var testDescription: String { "\(file): \(elements) elements, \(songs) songs" }
  }

  @Test(
    .enabled(if: isRecorded, "the recorded answers are not here"),
    arguments: [
      Recording(file: "album.json", elements: 1, songs: 0),
      Recording(file: "albums.json", elements: 23, songs: 0),
      Recording(file: "artist.json", elements: 1, songs: 0),
      Recording(
        file: "lookup-entity-song-limit-200-id-1441458047-country-gb.json", elements: 22, songs: 18),
      Recording(
        file: "lookup-entity-song-limit-200-id-1728639278-country-us.json", elements: 7, songs: 6),
      Recording(
        file: "lookup-entity-song-limit-200-id-255636575-country-gb.json", elements: 16, songs: 15),
      Recording(file: "search.json", elements: 56, songs: 0),
      Recording(file: "song.json", elements: 1, songs: 1),
      Recording(file: "songs.json", elements: 11, songs: 10),
    ])
  func `a recorded answer is read whole`(recording: Recording) throws {
    let body = try [UInt8](Data(contentsOf: URL(filePath: Self.recorded + recording.file)))
    let items = try ITunesCatalog.items(
      HTTPResponse(status: 200, headers: [], url: ""), body: body)
    let songs = items.filter { $0.kind == "song" }
    #expect(items.count == recording.elements)
    #expect(songs.count == recording.songs)
    for song in songs {
      let track = try #require(
        song.track(id: "x", previewURL: song.previewURL, country: nil, credit: nil))
      #expect(!track.title.isEmpty && !track.artist.isEmpty && track.album != nil)
      #expect(track.previewURL?.hasPrefix("http") == true)
      #expect(track.storeURL?.hasPrefix("https://") == true)
      #expect(track.year.map((1950...2030).contains) != false)
      #expect((10...3600).contains(track.duration ?? 0))
      #expect(track.isExplicit != nil)
    }
  }

  @Test(
    .enabled(if: isRecorded, "the recorded answers are not here"),
    arguments: [
      "lookup-entity-song-limit-200-id-1441458047-country-gb.json",
      "lookup-entity-song-limit-200-id-1728639278-country-us.json",
      "lookup-entity-song-limit-200-id-255636575-country-gb.json", "songs.json",
    ])
  func `each recorded song is chosen by its own name among the others`(file: String) throws {
    let body = try [UInt8](Data(contentsOf: URL(filePath: Self.recorded + file)))
    let songs = try #require(CatalogAnswer(body)?.results).filter { $0.kind == "song" }
    let tracks = songs.compactMap {
      $0.track(id: $0.trackID ?? "", previewURL: $0.previewURL, country: nil, credit: nil)
    }
    for track in tracks {
      for asked in [
        "\(track.artist) - \(track.title)", "\(track.title) - \(track.artist)",
        "\(track.title) \(track.artist)".lowercased(),
      ] {
        guard case .match(let chosen) = Matching.choose(from: tracks, for: asked) else {
          Issue.record("no match for '\(asked)'")
          continue
        }
        #expect(chosen.title == track.title, "\(asked)")
      }
    }
  }

  @Test func `a song is described with what the answer says`() throws {
    let json = """
      \n\n\n{"resultCount":1,"results":[{"wrapperType":"track","kind":"song","trackId":12.0,
      "trackName":"Low Tide (Live)","artistName":"The Example","collectionName":"Harbour",
      "trackExplicitness":"cleaned","trackTimeMillis":201500.0,"releaseDate":"2009-03-01T08:00:00Z",
      "previewUrl":"http://a.example/c d.m4a","trackViewUrl":"javascript:alert(1)",
      "contentAdvisoryRating":null,"unknown":{"a":[1]}}]}\n\n\n
      """
    let item = try #require(CatalogAnswer(Array(json.utf8))?.results?.first)
    #expect(item.trackID == "12")
    let preview = item.previewURL.flatMap(CatalogAnswer.Item.webURL)
    #expect(
      item.track(id: "itunes:12", previewURL: preview, country: "us", credit: nil)
        == Track(
          id: "itunes:12", title: "Low Tide (Live)", artist: "The Example", album: "Harbour",
          year: 2009, duration: 201.5, isExplicit: false, previewURL: "http://a.example/c%20d.m4a",
          country: "us"))
  }

  @Test func `one odd element does not lose the others`() throws {
    let json = """
      \u{FEFF}{"results":[7,null,"x",[1],{},{"trackId":"15","trackName":"A","kind":"song"},
      {"trackId":16,"trackName":null,"previewUrl":null,"trackTimeMillis":"x"},
      {"trackId":17,"trackName":"B","previewUrl":""}]}
      """
    let items = try #require(CatalogAnswer(Array(json.utf8))?.results)
    #expect(items.compactMap(\.trackID) == ["15", "16", "17"])
    #expect(items.compactMap(\.title) == ["A", "B"])
    #expect(items.allSatisfy { $0.previewURL == nil })
  }

  struct Odd: CustomTestStringConvertible {
    var name: String
    var status = 200
    var headers: [HTTPHeader] = []
    var body = ""
    var expected: CatalogError
    var testDescription: String { name }
  }

  @Test(arguments: [
    Odd(name: "a web page", body: "<!DOCTYPE html><p>x", expected: .server("it is not JSON")),
    Odd(name: "nothing", expected: .server("it is not JSON")),
    Odd(name: "half an answer", body: "{\"results\":[{", expected: .server("it is not JSON")),
    Odd(name: "a list", body: "[]", expected: .server("it is not JSON")),
    Odd(name: "another object", body: "{\"a\":1}", expected: .server("it holds no results")),
    Odd(
      name: "results that are no list", body: "{\"results\":{}}",
      expected: .server("it holds no results")),
    Odd(name: "a message under 200", body: "{\"errorMessage\":\"no\"}", expected: .refused("no")),
    Odd(
      name: "a message under 400", status: 400, body: "\n{\"errorMessage\":\"Invalid value(s)\"}",
      expected: .refused("Invalid value(s)")),
    Odd(name: "400 without a message", status: 400, body: "bad", expected: .server("status 400")),
    Odd(name: "403 without a body", status: 403, expected: .throttled(retryAfter: nil)),
    Odd(name: "403 with blanks", status: 403, body: " \n", expected: .throttled(retryAfter: nil)),
    Odd(name: "403 with words", status: 403, body: "proxy", expected: .server("status 403")),
    Odd(name: "404 with a page", status: 404, body: "<p>", expected: .server("status 404")),
    Odd(
      name: "429 with a time", status: 429, headers: [HTTPHeader("retry-after", "7")],
      expected: .throttled(retryAfter: 7)),
    Odd(name: "503", status: 503, body: "busy", expected: .throttled(retryAfter: nil)),
    Odd(name: "502", status: 502, body: "<p>", expected: .server("status 502")),
    Odd(
      name: "an unfollowed redirect", status: 301, headers: [HTTPHeader("Location", "musics://x")],
      expected: .redirect("musics://x")),
  ])
  func `an answer that is none has its own error`(odd: Odd) {
    let response = HTTPResponse(status: odd.status, headers: odd.headers, url: "")
    #expect(throws: odd.expected) {
      try ITunesCatalog.items(response, body: Array(odd.body.utf8))
    }
  }

  @Test(arguments: ["file:///etc/passwd", "ftp://a/b", "a.m4a", "//a/b", "https:///a"])
  func `an answer cannot name anything but the web`(url: String) {
    #expect(CatalogAnswer.Item.webURL(url) == nil)
  }
}
