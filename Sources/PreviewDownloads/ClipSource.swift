/// A clip that may be downloaded: where it is, and what it is called.
public struct ClipSource: Sendable, Hashable {
  /// Names the track everywhere, such as `itunes:1440833098`: letters, digits, `.`, `_`, `-` and one
  /// colon.
  public var id: String
  /// The track's title; for a clip known by its URL alone, the name the URL ends with.
  public var title: String
  /// The track's artist; empty for a clip known by its URL alone.
  public var artist: String
  /// Where the clip is: `http:`, `https:`, or `file:` for a clip of a local catalog.
  public var url: String
  /// Where the track can be bought.
  public var storeURL: String?
  /// Whom the clip comes from, in the words its catalog asks for.
  public var credit: String?

  /// A source with what every clip has.
  public init(
    id: String, title: String, artist: String, url: String, storeURL: String? = nil,
    credit: String? = nil
  ) {
    self.id = id
    self.title = title
    self.artist = artist
    self.url = url
    self.storeURL = storeURL
    self.credit = credit
  }

  /// Whether no catalog knows the clip: it keeps the name its URL ends with.
  var isPlainURL: Bool { id.hasPrefix("url:") }

  /// The id as it stands in file names, where a colon is trouble on some file systems.
  var fileID: String {
    String(
      id.unicodeScalars.map { scalar in
        let isPlain =
          scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
        return isPlain || scalar == "." || scalar == "_" ? Character(scalar) : "-"
      })
  }

  /// The name of the part file.
  var partName: String { "\(fileID).part" }
}

extension ClipSource {
  /// What the name of a finished clip tells of it, such as `Artist - Title [itunes-123].m4a`.
  ///
  /// Its URL is not among that.
  init?(fileName: String) {
    guard let fileID = MediaName.fileID(in: fileName), let mark = fileID.firstIndex(of: "-"),
      let tag = fileName.lastIndex(of: "[")
    else { return nil }
    let words = fileName[..<tag].dropLast().split(separator: " - ", maxSplits: 1)
    self.init(
      id: fileID[..<mark] + ":" + fileID[fileID.index(after: mark)...],
      title: String(words.last ?? "untitled"), artist: words.count == 2 ? String(words[0]) : "",
      url: "")
  }
}
