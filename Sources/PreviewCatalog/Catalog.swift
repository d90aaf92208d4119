/// Something that knows tracks and where their clips lie.
public protocol Catalog: Sendable {
  /// The tracks that fit some words, best first.
  ///
  /// - Parameters:
  ///   - words: what to look for, best as `artist - title`.
  ///   - limit: the most tracks to return.
  /// - Returns: the tracks; none where nothing was found.
  /// - Throws: `CatalogError` where the catalog does not answer. Nothing found is an empty array.
  func search(_ words: String, limit: Int) async throws(CatalogError) -> [Track]

  /// The one track that is meant, with a preview.
  ///
  /// - Parameter reference: what a person typed.
  /// - Returns: the track.
  /// - Throws: `CatalogError`, such as `ambiguous` where several tracks fit equally well.
  func track(for reference: TrackReference) async throws(CatalogError) -> Track
}

extension Catalog {
  /// What a person may choose from by number: for words the search's tracks, else the track itself.
  ///
  /// The order is that of `search` and of the candidates in `CatalogError.ambiguous`.
  ///
  /// - Parameter reference: what a person typed.
  /// - Returns: the tracks; the first has the number 1.
  /// - Throws: `CatalogError`, as `search` and `track(for:)` do.
  public func candidates(for reference: TrackReference) async throws(CatalogError) -> [Track] {
    guard case .words(let words) = reference else { return [try await track(for: reference)] }
    return try await search(words, limit: candidateCount)
  }

  /// The track among the search's that the words mean.
  func match(_ words: String, hint: String) async throws(CatalogError) -> Track {
    switch Matching.choose(from: try await search(words, limit: candidateCount), for: words) {
    case .match(let track): return try withPreview(track)
    case .ambiguous(let tracks): throw .ambiguous(asked: words, candidates: tracks)
    case .noMatch: throw .noMatch(asked: words, hint: hint)
    }
  }

  func withPreview(_ track: Track) throws(CatalogError) -> Track {
    guard track.previewURL != nil else { throw .noPreview(track) }
    return track
  }
}

/// How many tracks a choice is made from: enough to see past re-issues and covers.
let candidateCount = 25
