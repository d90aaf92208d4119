/// Chooses among a catalog's tracks the one that words mean.
///
/// | rule | effect |
/// |---|---|
/// | every word of the title's name is asked for, the rest names artist, guest or album | fits |
/// | the rest names a credited artist in full, or nothing is left, and no bracket is unasked | strong |
/// | the rest is part of a name or of the album, or a bracket of the name is unasked | fair |
/// | words of the title are not asked for; behind a dash, the artist is only partly named | weak |
/// | versions (live, remix, …) differ, neutral ones (remaster, …) aside | refused |
/// | karaoke, tribute or cover artist or album, not asked for | refused |
/// | the album says live (or the like) and the title does not, unasked | behind its equals |
/// | re-issue of the same recording | behind the first one; no rival |
/// | best fit is weak | ambiguous |
/// | an equal fit by another artist at most two places behind in the catalog's order | ambiguous |
enum Matching {
  /// What became of a choice.
  enum Choice: Equatable {
    case match(Track)
    case ambiguous([Track])
    case noMatch
  }

  /// Chooses the track that is meant.
  ///
  /// - Parameters:
  ///   - tracks: what the catalog found, in its own order.
  ///   - text: what was asked for.
  /// - Returns: one track, those between which a person must choose, or none.
  static func choose(from tracks: [Track], for text: String) -> Choice {
    let fits = distinct(fits(tracks, for: text))
    guard let best = fits.first else { return .noMatch }
    if best.grade == .weak { return .ambiguous(fits.map(\.track)) }
    let rivals = fits.filter {
      $0.grade == best.grade && $0.isFromAlbumVersion == best.isFromAlbumVersion
    }
    let isNearTie = rivals.contains {
      $0.place - best.place <= 2 && !$0.candidate.sharesArtist(with: best.candidate)
    }
    return isNearTie ? .ambiguous(rivals.map(\.track)) : .match(best.track)
  }

  /// The tracks best first: those that fit, re-issues, then all others in the catalog's order.
  static func ranked(_ tracks: [Track], for text: String) -> [Track] {
    let fits = fits(tracks, for: text)
    let first = distinct(fits).map(\.track)
    var seen = Set<String>()
    return (first + fits.map(\.track) + tracks).filter { seen.insert($0.id).inserted }
  }

  /// What a catalog is asked for: the words without the dash, which it would look for.
  static func searchTerm(_ text: String) -> String {
    Wording.splitAtDashes(text).joined(separator: " ")
  }

  /// The words that must all occur in a track for it to be a candidate.
  static func searchWords(_ text: String) -> [String] {
    ArtistReading.essential(VersionReading(Wording.words(text)).besidesNeutral)
  }

  private static func fits(_ tracks: [Track], for text: String) -> [Fit] {
    let readings = AskedReading.all(of: text)
    return tracks.enumerated().compactMap { place, track -> Fit? in
      let candidate = Candidate(track)
      let best = readings.compactMap(candidate.fit).max { $0.grade < $1.grade }
      guard let best else { return nil }
      return Fit(
        candidate: candidate, grade: best.grade, isFromAlbumVersion: best.isFromAlbumVersion,
        place: place)
    }.sorted { $0.precedes($1) }
  }

  /// One fit a recording: the first, or the first that has a preview.
  private static func distinct(_ fits: [Fit]) -> [Fit] {
    var kept: [Fit] = []
    for fit in fits {
      guard let index = kept.firstIndex(where: { $0.candidate.isSameRecording(as: fit.candidate) })
      else {
        kept.append(fit)
        continue
      }
      if kept[index].track.previewURL == nil, fit.track.previewURL != nil {
        kept[index].candidate = fit.candidate
      }
    }
    return kept
  }

  private struct Fit {
    var candidate: Candidate
    let grade: Grade
    let isFromAlbumVersion: Bool
    let place: Int

    var track: Track { candidate.track }

    func precedes(_ other: Fit) -> Bool {
      if grade != other.grade { return grade > other.grade }
      if isFromAlbumVersion != other.isFromAlbumVersion { return !isFromAlbumVersion }
      return place < other.place
    }
  }
}
