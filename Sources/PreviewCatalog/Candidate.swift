/// How well a track fits what was asked.
enum Grade: Int, Comparable {
  case weak, fair, strong

  static func < (left: Grade, right: Grade) -> Bool { left.rawValue < right.rawValue }
}

/// A catalog's track, taken apart for comparison.
struct Candidate {
  let track: Track
  private let title: TitleReading
  private let artist: ArtistReading
  private let albumWords: Set<String>
  private let albumVersions: Set<Version>
  private let isImitation: Bool

  init(_ track: Track) {
    self.track = track
    title = TitleReading(track.title)
    artist = ArtistReading(track.artist)
    let album = Wording.words(track.album ?? "")
    albumWords = Set(album)
    albumVersions = VersionReading(album).versions
    let artistVersions = VersionReading(Wording.words(track.artist)).versions
    isImitation =
      !artistVersions.isDisjoint(with: Version.imitations)
      || !albumVersions.isDisjoint(with: [.karaoke, .tribute])
  }

  /// Whether both credit one artist.
  func sharesArtist(with other: Candidate) -> Bool {
    artist.credits(other.artist.primary) || other.artist.credits(artist.primary)
  }

  /// Whether both are the same recording, perhaps on different albums.
  ///
  /// Full lengths up to 10 seconds apart are those of one recording: pauses at the end differ.
  func isSameRecording(as other: Candidate) -> Bool {
    guard name == other.name, title.versions == other.title.versions,
      title.versions.isEmpty || Set(title.details) == Set(other.title.details),
      albumVersions == other.albumVersions, sharesArtist(with: other)
    else { return false }
    guard let length = track.duration, let otherLength = other.track.duration else { return true }
    return abs(length - otherLength) <= 10
  }

  /// How well this track fits; nil where it does not.
  ///
  /// - Returns: the grade, and whether the album names a version that nobody asked for.
  func fit(_ asked: AskedReading) -> (grade: Grade, isFromAlbumVersion: Bool)? {
    guard !asked.words.isEmpty, let (titleGrade, left) = titleFit(asked) else { return nil }
    // A version's word may belong to the artist, as in "Little Mix", or may not, as in "karaoke".
    let ofArtist = left.filter { artist.words.contains($0) }
    let others = VersionReading(left.filter { !artist.words.contains($0) })
    let whole = VersionReading(left)
    for (reading, named) in [(others, ofArtist + others.rest), (whole, whole.rest)] {
      let versions = asked.versions.union(reading.versions)
      guard versions == title.versions || versions == title.versions.union(albumVersions),
        let artistFit = artistFit(named, asked)
      else { continue }
      let isWelcome = artistFit.isNamed || !versions.isDisjoint(with: Version.imitations)
      guard !isImitation || isWelcome else { continue }
      return (min(titleGrade, artistFit.grade), !albumVersions.isSubset(of: versions))
    }
    return nil
  }

  /// The words of the title's name without what is left out and put in at will.
  private var name: [String] {
    let rest =
      ["the", "a", "an"].contains(title.base.first) ? title.base.dropFirst() : title.base[...]
    let words = rest.filter { $0 != "and" }
    return words.isEmpty ? title.base : Array(words)
  }

  /// Takes the title's words out of what was asked.
  private func titleFit(_ asked: AskedReading) -> (Grade, left: [String])? {
    // Blanks aside, so that "rearranged" finds "Re-Arranged".
    if asked.words.joined() == title.base.joined() { return (asideGrade(title.aside), []) }
    var left = asked.words
    let unasked = Self.take(name, from: &left)
    let unaskedAside = Self.take(title.aside, from: &left)
    _ = Self.take(
      title.base.filter { !name.contains($0) } + title.details + title.guests, from: &left)
    guard !unasked.isEmpty else { return (asideGrade(unaskedAside), left) }
    let isAnotherTitle = unasked.contains { Version.numerals.contains($0) || Int($0) != nil }
    guard unasked.count < name.count, asked.artist == nil, !isAnotherTitle,
      VersionReading(unasked).versions.isEmpty
    else { return nil }
    return (.weak, left)
  }

  private func asideGrade(_ unasked: [String]) -> Grade {
    unasked.isEmpty ? .strong : .fair
  }

  /// How well the words that are no title fit the artist.
  private func artistFit(
    _ words: [String], _ asked: AskedReading
  ) -> (grade: Grade, isNamed: Bool)? {
    let named = words.filter { !ArtistReading.isFiller($0) }
    if let credit = asked.artist {
      guard named.isEmpty else { return nil }
      if artist.credits(credit.names.first ?? []) || artist.credits(credit.primary)
        || credit.credits(artist.primary)
      {
        return (.strong, true)
      }
      let known = artist.words.union(title.guests)
      return credit.words.isSubset(of: known) && !credit.words.isEmpty ? (.weak, false) : nil
    }
    if named.isEmpty { return (.strong, false) }
    if artist.credits(named) || Set(named) == artist.words { return (.strong, true) }
    guard artist.words.union(albumWords).isSuperset(of: named) else { return nil }
    return (asked.isLoose ? .fair : .weak, artist.words.isSubset(of: named))
  }

  /// Takes words out of others, each as often as it stands there.
  ///
  /// - Returns: the words that were not among them.
  private static func take(_ words: [String], from left: inout [String]) -> [String] {
    words.filter { word in
      guard let index = left.firstIndex(of: word) else { return true }
      left.remove(at: index)
      return false
    }
  }
}
