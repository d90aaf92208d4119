internal import FoundationEssentials

/// A catalog in a JSON file of the shape of an iTunes Search answer, read once.
///
/// A `previewUrl` in it may be relative to the file. Apple, "iTunes Search API: Understanding Search
/// Results".
public struct LocalCatalog: Catalog {
  private let tracks: [Track]

  /// Reads a catalog file.
  ///
  /// - Parameter path: the file, relative to the current directory or absolute.
  /// - Throws: `CatalogError.unreadable` where it cannot be read, or holds something else.
  public init(path: String) throws(CatalogError) {
    var isDirectory = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), isDirectory {
      throw .unreadable(path: path, reason: "it is a directory; name a JSON file")
    }
    let bytes: [UInt8]
    do {
      bytes = try [UInt8](Data(contentsOf: URL(filePath: path)))
    } catch {
      throw .unreadable(path: path, reason: Self.reason(error))
    }
    guard let answer = CatalogAnswer(bytes) else {
      throw .unreadable(path: path, reason: "it is not a JSON object")
    }
    guard let results = answer.results else {
      throw .unreadable(path: path, reason: "it has no list \"results\", as an iTunes answer has")
    }
    let current = FileManager.default.currentDirectoryPath
    let absolute = path.hasPrefix("/") ? path : current + "/" + path
    let folder = absolute[...(absolute.lastIndex(of: "/") ?? absolute.startIndex)]
    tracks = results.compactMap { Self.track($0, folder: String(folder)) }
  }

  /// The tracks in which every word occurs, best first.
  ///
  /// - Parameters:
  ///   - words: what to look for in title, artist and album.
  ///   - limit: the most tracks to return.
  /// - Returns: the tracks; none where nothing was found.
  public func search(_ words: String, limit: Int) -> [Track] {
    let asked = Set(Matching.searchWords(words))
    let hits = tracks.compactMap { track -> (track: Track, inTitle: Int)? in
      let title = Set(Matching.searchWords(track.title))
      let all = title.union(Matching.searchWords(track.artist + " " + (track.album ?? "")))
      guard asked.isSubset(of: all), !asked.isEmpty else { return nil }
      return (track, asked.intersection(title).count)
    }
    let sorted = hits.sorted { $0.inTitle > $1.inTitle }.map(\.track)
    return Array(Matching.ranked(sorted, for: words).prefix(limit))
  }

  /// The one track that is meant, with a preview.
  ///
  /// - Parameter reference: words, an id of the file as `local:` or `itunes:`, or a URL.
  /// - Returns: the track.
  /// - Throws: `CatalogError`; `unsupported` for references that only another catalog can answer.
  public func track(for reference: TrackReference) async throws(CatalogError) -> Track {
    switch reference {
    case .words(let words):
      return try await match(words, hint: "the catalog file has no such track")
    case .local(let id):
      return try lookup(id, asked: reference)
    case .itunes(let id, _):
      return try lookup(String(id), asked: reference)
    case .url(let url):
      return Track(url: url)
    case .deezer, .isrc:
      throw .unsupported(
        "A catalog file knows no Deezer ids and no ISRC codes; name the track as"
          + " 'artist - title'.")
    case .urlID:
      throw .unsupported("'\(reference)' is the id of a plain URL; give the URL itself.")
    }
  }

  private func lookup(_ id: String, asked: TrackReference) throws(CatalogError) -> Track {
    guard let track = tracks.first(where: { $0.id == "local:" + id }) else {
      throw .noMatch(asked: asked.description, hint: "the catalog file has no such track")
    }
    return try withPreview(track)
  }

  private static func track(_ item: CatalogAnswer.Item, folder: String) -> Track? {
    let kinds = [nil, "song", "music-video"]
    guard let id = item.trackID, TrackReference.isLocalID(id), kinds.contains(item.kind) else {
      return nil
    }
    return item.track(
      id: "local:" + id, previewURL: item.previewURL.flatMap { location($0, folder: folder) },
      country: nil, credit: nil)
  }

  /// Where a clip lies: a relative URL is taken from the catalog's folder, an absolute one stays.
  ///
  /// Blanks and letters beyond ASCII need no escapes, and `?` and `#` belong to a file's name.
  static func location(_ text: String, folder: String) -> String? {
    if text.hasPrefix("/") {
      return "file://" + PercentEncoding.repair(text, isPath: true)
    }
    switch Link(text).scheme {
    case "":
      return "file://" + PercentEncoding.encodePath(folder)
        + PercentEncoding.repair(text, isPath: true)
    case "http", "https": return CatalogAnswer.Item.webURL(text)
    case "file": return PercentEncoding.repair(text)
    default: return nil
    }
  }

  private static func reason(_ error: any Error) -> String {
    switch (error as? CocoaError)?.code {
    case .fileReadNoSuchFile?, .fileNoSuchFile?: "there is no such file"
    case .fileReadNoPermission?: "its permissions forbid reading it"
    default: "reading it fails"
    }
  }
}
