/// One recording as a catalog describes it.
///
/// The strings are the catalog's own and may hold anything: clean them before a terminal sees them.
public struct Track: Sendable, Hashable {
  /// The catalog's name and its number of the track, such as `itunes:1440833098`.
  public var id: String
  /// The title, with what the catalog puts in brackets behind it.
  public var title: String
  /// The credited artists; empty where nothing is known of them.
  public var artist: String
  /// The album.
  public var album: String?
  /// The year of release.
  public var year: Int?
  /// Seconds of the full song, not of the clip.
  public var duration: Double?
  /// Whether the catalog marks the lyrics as explicit.
  public var isExplicit: Bool?
  /// Where the clip lies, percent-encoded: `http:`, `https:`, or `file:` in a local catalog.
  public var previewURL: String?
  /// The page that sells the track.
  public var storeURL: String?
  /// The two letters of the storefront that was asked, which a later lookup must ask again.
  public var country: String?
  /// The line of credit that the catalog wants shown.
  public var credit: String?

  /// A track of which at least id, title and artist are known.
  ///
  /// - Parameters:
  ///   - id: the catalog's name and its number of the track.
  ///   - title: the title.
  ///   - artist: the credited artists.
  ///   - album: the album.
  ///   - year: the year of release.
  ///   - duration: seconds of the full song.
  ///   - isExplicit: whether the lyrics are marked as explicit.
  ///   - previewURL: where the clip lies, percent-encoded.
  ///   - storeURL: the page that sells the track.
  ///   - country: the two letters of the storefront.
  ///   - credit: the line of credit.
  public init(
    id: String, title: String, artist: String, album: String? = nil, year: Int? = nil,
    duration: Double? = nil, isExplicit: Bool? = nil, previewURL: String? = nil,
    storeURL: String? = nil, country: String? = nil, credit: String? = nil
  ) {
    self.id = id
    self.title = title
    self.artist = artist
    self.album = album
    self.year = year
    self.duration = duration
    self.isExplicit = isExplicit
    self.previewURL = previewURL
    self.storeURL = storeURL
    self.country = country
    self.credit = credit
  }

  /// A track of which nothing is known but where its audio lies.
  ///
  /// The title is the last part of the path, and the host where there is none.
  ///
  /// - Parameter url: a URL as `TrackReference.url` holds it.
  public init(url: String) {
    let rest = url.split(separator: "://", maxSplits: 1).last ?? ""
    let path = rest.prefix { $0 != "?" && $0 != "#" }
    let name = path.split(separator: "/").last ?? ""
    self.init(
      id: Self.id(ofURL: url), title: PercentEncoding.decode(name), artist: "", previewURL: url)
  }

  /// The id of a plain URL: `url:` and 12 hexadecimal digits of a hash of it, fragment left out.
  ///
  /// The hash is FNV-1a with 64 bits (RFC 9923): the same on every machine and in every run, which
  /// Swift's own is not, and needs no library. A collision by chance is unlikely below a million
  /// URLs; one made on purpose harms only who pasted it.
  static func id(ofURL url: String) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in url.utf8.prefix(while: { $0 != UInt8(ascii: "#") }) {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
    }
    let digits = String(hash, radix: 16)
    let padded = String(repeating: "0", count: 16 - digits.count) + digits
    return "url:" + padded.prefix(12)
  }
}
