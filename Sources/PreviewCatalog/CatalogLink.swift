/// Reads links of the music services: which track they name, or what else.
enum CatalogLink {
  /// The track that a link of a known service names.
  ///
  /// - Returns: nil for a link of no known service.
  /// - Throws: `CatalogError` for a link of a known service that does not name one track.
  static func reference(_ text: some StringProtocol) throws(CatalogError) -> TrackReference? {
    let link = Link(text)
    guard !link.authority.contains("@") else { return nil }
    switch link.host {
    case _ where link.isUnder("music.apple.com") || link.isUnder("itunes.apple.com"):
      return try apple(link, text: String(text))
    case "song.link", "album.link":
      return try odesli(link, text: String(text))
    case "deezer.com", "www.deezer.com":
      return try deezer(link, text: String(text))
    case "link.deezer.com", "deezer.page.link", "dzr.page.link", "apple.co":
      throw .shortLink(String(text))
    case "open.spotify.com", "spotify.link":
      throw .unsupported(
        "Spotify publishes no previews without a login; name the track as 'artist - title'.")
    default:
      return nil
    }
  }

  /// `music.apple.com` and `itunes.apple.com` with what stands before them (`geo.`, `beta.`, …).
  ///
  /// `/{cc}/album/{slug}/{album}?i={track}`, `/{cc}/song/{slug}/{track}`,
  /// `/{cc}/music-video/{slug}/{track}`, `/lookup?id={track}&country={cc}`; country and slug may be
  /// absent, ids may begin with `id`.
  private static func apple(_ link: Link, text: String) throws(CatalogError) -> TrackReference {
    var path = link.path[...]
    var country = link.query["country"].flatMap(TrackReference.countryCode)
    if let first = path.first, let code = TrackReference.countryCode(first) {
      country = code
      path = path.dropFirst()
    }
    if let id = link.query["i"], !id.isEmpty {
      return try track(id, country: country, text: text)
    }
    switch path.first ?? "" {
    case "song", "music-video":
      return try track(path.count > 1 ? path.last : nil, country: country, text: text)
    case "lookup":
      return try track(link.query["id"], country: country, text: text)
    case "album": throw .notOneTrack(kind: "an album")
    case "artist": throw .notOneTrack(kind: "an artist")
    case "playlist": throw .notOneTrack(kind: "a playlist, which Apple shows only with a login")
    case "station": throw .notOneTrack(kind: "a station, which Apple shows only with a login")
    case "library": throw .notOneTrack(kind: "someone's library, which Apple shows only to them")
    default: throw .malformed(text, expected: "the link of a track")
    }
  }

  /// `song.link/i/{track}` and `album.link/i/{album}`, whose ids are those of iTunes.
  private static func odesli(_ link: Link, text: String) throws(CatalogError) -> TrackReference {
    guard link.path.count == 2, link.path[0] == "i" else { throw .shortLink(text) }
    guard link.host == "song.link" else { throw .notOneTrack(kind: "an album") }
    return try track(link.path[1], country: nil, text: text)
  }

  /// `[www.]deezer.com/[{language}/]track/{id}`, with any scheme, `deezer:` too.
  private static func deezer(_ link: Link, text: String) throws(CatalogError) -> TrackReference {
    let kinds = [
      "track": "", "album": "an album", "playlist": "a playlist", "artist": "an artist",
      "episode": "an episode", "show": "a show", "mixes": "a mix",
    ]
    guard let index = link.path.prefix(2).firstIndex(where: { kinds[$0] != nil }),
      let kind = kinds[link.path[index]]
    else { throw .malformed(text, expected: "the link of a track") }
    guard kind.isEmpty else { throw .notOneTrack(kind: kind) }
    guard let id = link.path.dropFirst(index + 1).first.flatMap(TrackReference.number) else {
      throw .malformed(text, expected: "a number behind track/")
    }
    return .deezer(id: id)
  }

  private static func track(
    _ id: String?, country: String?, text: String
  ) throws(CatalogError) -> TrackReference {
    let digits = id.map { $0.hasPrefix("id") ? String($0.dropFirst(2)) : $0 }
    guard let number = digits.flatMap(TrackReference.number) else {
      throw .malformed(text, expected: "a link with the number of a track")
    }
    return .itunes(id: number, country: country)
  }
}
