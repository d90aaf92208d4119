import FoundationEssentials
import Testing

@testable import PreviewCatalog

struct LocalCatalogTests {
  /// A folder of its own for each test.
  final class Folder {
    let path = "/tmp/catalog tests \(UUID().uuidString)"

    init() throws {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ text: String) throws -> String {
      try Data(text.utf8).write(to: URL(filePath: path + "/catalog.json"))
      return path + "/catalog.json"
    }
  }

  static let json = """
    {"results":[
    {"trackId":1001,"trackName":"Low Tide","artistName":"The Example","collectionName":"Harbour",
     "previewUrl":"clips/low tide.m4a","trackTimeMillis":20000},
    {"trackId":"b-2","trackName":"Harbour","artistName":"Élan Vital","previewUrl":"/x/ü.mp3"},
    {"trackId":1003,"trackName":"Mute","artistName":"The Example"},
    {"trackId":"../4","trackName":"Bad Id","artistName":"X"},
    {"kind":"ebook","trackId":5,"trackName":"A Book","artistName":"X"}]}
    """

  @Test func `clips lie beside the file, and ids are its own`() async throws {
    let folder = try Folder()
    let catalog = try LocalCatalog(path: folder.file(Self.json))
    let track = try await catalog.track(for: .local(id: "1001"))
    #expect(track.id == "local:1001")
    let encoded = folder.path.split(separator: " ").joined(separator: "%20")
    #expect(track.previewURL == "file://\(encoded)/clips/low%20tide.m4a")
    #expect(track.previewURL?.hasPrefix("file://") == true)
    #expect(try await catalog.track(for: .itunes(id: 1001, country: "gb")) == track)
    #expect(
      try await catalog.track(for: .local(id: "b-2")).previewURL == "file:///x/%C3%BC.mp3")
  }

  @Test(arguments: [
    ("low tide", ["local:1001"]), ("Example - Low Tide", ["local:1001"]),
    ("harbour", ["local:b-2", "local:1001"]), ("elan harbour", ["local:b-2"]),
    ("the example", ["local:1001", "local:1003"]), ("low tide slayer", []), ("bad id", []),
    ("book", []), ("low tide - 2011 remaster", ["local:1001"]),
  ])
  func `every word must occur`(words: String, ids: [String]) throws {
    let folder = try Folder()
    let catalog = try LocalCatalog(path: folder.file(Self.json))
    #expect(catalog.search(words, limit: 25).map(\.id) == ids)
    #expect(catalog.search(words, limit: 1).map(\.id) == Array(ids.prefix(1)))
  }

  @Test func `words choose one track`() async throws {
    let folder = try Folder()
    let catalog = try LocalCatalog(path: folder.file(Self.json))
    #expect(try await catalog.track(for: .words("example low tide")).id == "local:1001")
    await #expect(
      throws: CatalogError.noMatch(
        asked: "nothing of it", hint: "the catalog file has no such track")
    ) { try await catalog.track(for: .words("nothing of it")) }
    await #expect(throws: CatalogError.self) { try await catalog.track(for: .words("mute")) }
    await #expect(
      throws: CatalogError.noMatch(asked: "local:9", hint: "the catalog file has no such track")
    ) { try await catalog.track(for: .local(id: "9")) }
  }

  @Test(arguments: [
    ("a b.m4a", "file:///f%23/a%20b.m4a"), ("a%20b.m4a", "file:///f%23/a%20b.m4a"),
    ("100%.m4a", "file:///f%23/100%25.m4a"), ("what?#1.m4a", "file:///f%23/what%3F%231.m4a"),
    ("https://a.example/b.m4a", "https://a.example/b.m4a"), ("file:///a b", "file:///a%20b"),
    ("ftp://a.example/b", nil),
  ])
  func `a relative address is taken from the folder`(text: String, expected: String?) {
    #expect(LocalCatalog.location(text, folder: "/f#/") == expected)
  }

  @Test(arguments: [
    ("", "it is not a JSON object"), ("#EXTM3U", "it is not a JSON object"),
    ("[]", "it is not a JSON object"),
    ("{\"tracks\":[]}", "it has no list \"results\", as an iTunes answer has"),
  ])
  func `a file that is no catalog says so`(text: String, reason: String) throws {
    let folder = try Folder()
    let path = try folder.file(text)
    #expect(throws: CatalogError.unreadable(path: path, reason: reason)) {
      try LocalCatalog(path: path)
    }
  }

  @Test(arguments: [
    ("/nowhere/at/all.json", "there is no such file"),
    ("/tmp", "it is a directory; name a JSON file"),
  ])
  func `a file that cannot be read says so`(path: String, reason: String) {
    #expect(throws: CatalogError.unreadable(path: path, reason: reason)) {
      try LocalCatalog(path: path)
    }
  }
}
