public import PreviewTransport

/// The catalog of iTunes and Apple Music, asked through the iTunes Search API.
///
/// Apple, "iTunes Search API"; the service takes no key and about 20 requests a minute.
public struct ITunesCatalog: Catalog {
  private let client: HTTPClient
  private let baseURL: String
  private let country: String
  private let retryPause: Duration

  /// - Parameters:
  ///   - client: what sends the requests.
  ///   - baseURL: where the API is, without a slash at the end: `https://itunes.apple.com`.
  ///   - country: the two letters of the storefront to ask where a reference names none.
  ///   - retryPause: how long to wait before the one retry of a request that was refused for haste.
  public init(
    client: HTTPClient, baseURL: String, country: String, retryPause: Duration = .seconds(1)
  ) {
    self.client = client
    self.baseURL = baseURL.hasSuffix("/") ? String(baseURL.dropLast()) : baseURL
    self.country = TrackReference.countryCode(country) ?? country
    self.retryPause = retryPause
  }

  /// The songs that fit some words, best first.
  ///
  /// - Parameters:
  ///   - words: what to look for, best as `artist - title`.
  ///   - limit: the most songs to return; the API gives no more than 200.
  /// - Returns: the songs; none where nothing was found.
  /// - Throws: `CatalogError` where the API does not answer.
  public func search(_ words: String, limit: Int) async throws(CatalogError) -> [Track] {
    // Fewer than the usual number are never asked for: the choice would depend on the limit, and
    // a limit of 1 has been answered with a web page.
    let items = try await ask(
      "search",
      [
        ("term", Matching.searchTerm(words)), ("media", "music"), ("entity", "song"),
        ("limit", String(min(max(limit, candidateCount), 200))), ("country", country),
      ])
    let songs = items.filter { $0.kind == "song" }.compactMap { track($0, country: country) }
    return Array(Matching.ranked(songs, for: words).prefix(limit))
  }

  /// The one track that is meant, with a preview.
  ///
  /// - Parameter reference: words, an id of iTunes, or a URL, which is not asked about.
  /// - Returns: the track.
  /// - Throws: `CatalogError`; `unsupported` for references that only another catalog can answer.
  public func track(for reference: TrackReference) async throws(CatalogError) -> Track {
    switch reference {
    case .words(let words):
      return try await match(
        words, hint: "try other words, or another store with --country, as in --country gb")
    case .itunes(let id, let country):
      return try withPreview(try await lookup(id, country: country))
    case .url(let url):
      return Track(url: url)
    case .deezer:
      throw .unsupported(
        "Deezer is not supported by the iTunes catalog; name the track as 'artist - title'.")
    case .isrc:
      throw .unsupported(
        "iTunes does not look up ISRC codes; name the track as 'artist - title'.")
    case .local:
      throw .unsupported(
        "'\(reference)' is a track of a catalog file; name that file with --catalog.")
    case .urlID:
      throw .unsupported("'\(reference)' is the id of a plain URL; give the URL itself.")
    }
  }

  private func lookup(_ id: Int, country named: String?) async throws(CatalogError) -> Track {
    let country = named ?? country
    let items = try await ask("lookup", [("id", String(id)), ("country", country)])
    let wanted = String(id)
    let hits = items.filter { $0.trackID == wanted }
    let hit = hits.first { $0.kind == "song" } ?? hits.first { $0.kind == "music-video" }
    if let track = hit.flatMap({ track($0, country: country) }) { return track }
    switch items.first?.wrapperType {
    case "collection" where items.first?.collectionID == wanted:
      throw .notOneTrack(kind: "an album")
    case "artist" where items.first?.artistID == wanted:
      throw .notOneTrack(kind: "an artist")
    default:
      throw .noMatch(
        asked: "itunes:\(id)@\(country)",
        hint: "try another store, as in itunes:\(id)@gb or --country gb")
    }
  }

  private func track(_ item: CatalogAnswer.Item, country: String) -> Track? {
    guard let id = item.trackID.flatMap(TrackReference.number) else { return nil }
    return item.track(
      id: "itunes:\(id)",
      previewURL: item.previewURL.flatMap(CatalogAnswer.Item.webURL), country: country,
      credit: "provided courtesy of iTunes")
  }

  private func ask(
    _ path: String, _ fields: [(name: String, value: String)]
  ) async throws(CatalogError) -> [CatalogAnswer.Item] {
    let query = fields.map { "\($0.name)=\(PercentEncoding.encodeFormValue($0.value))" }
    let request = HTTPRequest(url: "\(baseURL)/\(path)?\(query.joined(separator: "&"))")
    do {
      return try await answer(to: request)
    } catch .throttled(retryAfter: nil) {
      // Refusals come now and then without any haste of ours, and a second request goes through.
      do { try await Task.sleep(for: retryPause) } catch { throw .canceled }
      return try await answer(to: request)
    }
  }

  private func answer(
    to request: HTTPRequest
  ) async throws(CatalogError) -> [CatalogAnswer.Item] {
    let (response, body): (HTTPResponse, [UInt8])
    do {
      (response, body) = try await client.data(for: request)
    } catch {
      throw CatalogError(error)
    }
    return try Self.items(response, body: body)
  }

  /// What an answer holds.
  ///
  /// A request too many is answered with 403 and no body, at times with 429 or 503.
  static func items(
    _ response: HTTPResponse, body: [UInt8]
  ) throws(CatalogError) -> [CatalogAnswer.Item] {
    let answer = CatalogAnswer(body)
    switch response.status {
    case 200..<300:
      if let items = answer?.results { return items }
      if let words = answer?.errorMessage { throw .refused(words) }
      throw .server(answer == nil ? "it is not JSON" : "it holds no results")
    case 300..<400:
      throw .redirect(response["Location"] ?? "status \(response.status)")
    case 403 where body.allSatisfy(" \r\n\t".utf8.contains), 429, 503:
      throw .throttled(
        retryAfter: response["Retry-After"].flatMap { UInt32($0) }.map { Double($0) })
    case 400..<500:
      if let words = answer?.errorMessage { throw .refused(words) }
      throw .server("status \(response.status)")
    default:
      throw .server("status \(response.status)")
    }
  }
}
