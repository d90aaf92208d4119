/// One way to understand what was asked.
struct AskedReading {
  /// The words of the title; where no artist is named apart, those of the artist too.
  let words: [String]
  /// The versions named in brackets or behind a dash.
  let versions: Set<Version>
  /// The artist as it stands on one side of a dash.
  let artist: ArtistReading?
  /// Whether part of a name is enough: not where someone took care to write a dash.
  let isLoose: Bool

  private init(_ text: String, artist: String? = nil, isLoose: Bool = false) {
    let reading = TitleReading(text)
    words = reading.base + reading.aside + reading.details
    versions = reading.versions
    self.artist = artist.map { ArtistReading($0) }
    self.isLoose = isLoose
  }

  /// Both sides of the first dash as artist and title, either way round, and all as plain words.
  static func all(of text: String) -> [AskedReading] {
    let pieces = Wording.splitAtDashes(Wording.plain(text))
    guard pieces.count > 1 else { return [AskedReading(text, isLoose: true)] }
    let rest = pieces[1...].joined(separator: " - ")
    return [
      AskedReading(rest, artist: pieces[0]), AskedReading(pieces[0], artist: rest),
      AskedReading(text),
    ]
  }
}
