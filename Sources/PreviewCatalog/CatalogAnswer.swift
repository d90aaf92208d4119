internal import FoundationEssentials

/// An answer of the iTunes Search API, or a file of the same shape.
///
/// Read as it is found, not as it is documented: blank lines before the brace, whatever content
/// type, numbers written as text or with a fraction, keys that are absent or null. One element that
/// is no object does not lose the others.
/// Apple, "iTunes Search API: Understanding Search Results".
struct CatalogAnswer: Decodable {
  /// What was found; nil where the body is JSON of another shape.
  let results: [Item]?
  /// The API's own words about a request it does not accept.
  let errorMessage: String?

  /// Nil where the bytes are no JSON object.
  ///
  /// - Parameter body: the bytes of the answer.
  init?(_ body: [UInt8]) {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let json = body.starts(with: mark) ? body[3...] : body[...]
    guard let answer = try? JSONDecoder().decode(Self.self, from: Data(json)) else { return nil }
    self = answer
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    results = (try? values.decode([Tolerant].self, forKey: "results"))?.compactMap(\.item)
    errorMessage = values.text("errorMessage")
  }

  private struct Tolerant: Decodable {
    let item: Item?

    init(from decoder: any Decoder) {
      item = try? Item(from: decoder)
    }
  }
}

extension CatalogAnswer {
  /// One element of the results: a song, a music video, an album, an artist.
  struct Item: Decodable {
    let kind: String?
    let wrapperType: String?
    /// The number of the track, or what a local file writes in its place.
    let trackID: String?
    let collectionID: String?
    let artistID: String?
    let title: String?
    let artist: String?
    let album: String?
    let explicitness: String?
    let previewURL: String?
    let storeURL: String?
    let milliseconds: Double?
    let releaseDate: String?

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: Key.self)
      kind = values.text("kind")
      wrapperType = values.text("wrapperType")
      trackID = values.text("trackId")
      collectionID = values.text("collectionId")
      artistID = values.text("artistId")
      title = values.text("trackName")
      artist = values.text("artistName")
      album = values.text("collectionName")
      explicitness = values.text("trackExplicitness")
      previewURL = values.text("previewUrl")
      storeURL = values.text("trackViewUrl")
      milliseconds = values.text("trackTimeMillis").flatMap(Double.init)
      releaseDate = values.text("releaseDate")
    }

    /// The track that is described, under an id of the catalog's.
    ///
    /// - Returns: nil where the element has no title.
    func track(id: String, previewURL: String?, country: String?, credit: String?) -> Track? {
      guard let title else { return nil }
      return Track(
        id: id, title: title, artist: artist ?? "", album: album,
        year: releaseDate.flatMap(Self.year),
        duration: milliseconds.flatMap { $0 > 0 && $0 < 1e12 ? $0 / 1000 : nil },
        isExplicit: Self.explicitness[explicitness ?? ""],
        previewURL: previewURL, storeURL: storeURL.flatMap(Self.webURL), country: country,
        credit: credit)
    }

    /// The year of a date; the first day of 1900 is how catalogs write that they do not know it.
    private static func year(_ date: String) -> Int? {
      date.hasPrefix("1900-01-01") ? nil : Int(date.prefix(4))
    }

    /// An address of the web, percent-encoded; nil for any other, which an answer has no say in.
    static func webURL(_ text: String) -> String? {
      let link = Link(text)
      guard ["http", "https"].contains(link.scheme), !link.host.isEmpty else { return nil }
      return PercentEncoding.repair(text)
    }

    private static let explicitness = [
      "explicit": true, "notExplicit": false, "cleaned": false, "clean": false,
    ]
  }
}

/// A key of any name.
private struct Key: CodingKey, ExpressibleByStringLiteral {
  let stringValue: String
  let intValue: Int? = nil

  init(stringValue: String) { self.stringValue = stringValue }
  init(stringLiteral value: String) { stringValue = value }
  init?(intValue: Int) { nil }
}

extension KeyedDecodingContainer<Key> {
  /// A value as text, however it is written: a whole number comes without a fraction.
  ///
  /// - Returns: nil where it is absent, null, empty, or neither text nor number.
  fileprivate func text(_ key: Key) -> String? {
    if let text = try? decode(String.self, forKey: key) { return text.isEmpty ? nil : text }
    if let number = try? decode(Int.self, forKey: key) { return String(number) }
    guard let number = try? decode(Double.self, forKey: key) else { return nil }
    return Int(exactly: number).map(String.init) ?? String(number)
  }
}
