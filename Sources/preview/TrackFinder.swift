import PreviewCatalog
import PreviewDownloads

/// Turns what a person asked for into a clip's source, asking a catalog only where nothing on disk
/// answers already.
struct TrackFinder: Sendable {
  /// Something that was typed, and what it means.
  struct Asked: Sendable {
    var text: String
    var reference: Result<TrackReference, CatalogError>
  }

  let rooms: Rooms
  let options: Options
  let context: Context

  /// Reads all operands before anything is done about one of them; throws where none makes sense.
  static func read(_ operands: [String]) throws(CatalogError) -> [Asked] {
    let all = meanings(of: operands)
    let isAnySound = all.contains { if case .success = $0.reference { true } else { false } }
    if !isAnySound, let first = all.first { _ = try first.reference.get() }
    return all
  }

  /// What each operand means, or why it means nothing.
  static func meanings(of operands: [String]) -> [Asked] {
    operands.map { text in
      Asked(text: text, reference: Result { () throws(CatalogError) in try TrackReference(text) })
    }
  }

  /// The clip that is meant.
  func source(for asked: Asked) async throws(CatalogError) -> ClipSource {
    let reference = try asked.reference.get()
    if options.pick == nil, let known = await knownSource(for: reference) { return known }
    if case .urlID = reference { throw .noMatch(asked: asked.text, hint: "give the URL itself") }
    let catalog = try rooms.catalogs.catalog()
    let track: Track
    if let pick = options.pick {
      let candidates = try await catalog.candidates(for: reference)
      guard candidates.indices.contains(pick - 1) else {
        throw .noMatch(asked: asked.text, hint: "there are only \(candidates.count) candidates")
      }
      track = candidates[pick - 1]
    } else {
      track = try await catalog.track(for: reference)
    }
    guard let url = track.previewURL else { throw .noPreview(track) }
    await rooms.downloader.remember(question: question(reference), id: track.id)
    return ClipSource(
      id: track.id, title: track.title, artist: track.artist, url: url, storeURL: track.storeURL,
      credit: track.credit)
  }

  /// The source of a clip that is finished, or whose download can go on.
  private func knownSource(for reference: TrackReference) async -> ClipSource? {
    guard let id = await knownID(for: reference), let record = await rooms.downloader.record(of: id)
    else { return nil }
    switch record.state {
    case .finished where !options.force: return record.source
    case .paused, .downloading: return record.source.url.isEmpty ? nil : record.source
    case .waiting, .failed, .finished: return nil
    }
  }

  /// The id a reference holds, or led to before.
  func knownID(for reference: TrackReference) async -> String? {
    if let id = reference.trackID { return id }
    return await rooms.downloader.answer(to: question(reference))
  }

  /// What is remembered of a question: the same words may mean another track in another catalog.
  private func question(_ reference: TrackReference) -> String {
    [
      rooms.catalogs.name, options.country ?? "us",
      reference.description.lowercased(),
    ].joined(separator: "\u{1F}")
  }
}

extension TrackFinder {
  /// Finds a track and begins its download.
  func entry(for asked: Asked, _ reporter: any Reporter) async -> Batch.Entry {
    do throws(CatalogError) {
      let source = try await source(for: asked)
      reporter.resolved(asked: asked.text, source)
      return await entry(for: source)
    } catch {
      if error != .canceled {
        reporter.failed(asked: asked.text, reason: error.reason, message: error.message)
        if case .ambiguous(_, let candidates) = error {
          for (index, track) in candidates.prefix(5).enumerated() {
            reporter.note("  \(index + 1)  \(track.id)  \(track.artist) - \(track.title)")
          }
        }
      }
      return .failed(error.exitCode)
    }
  }

  /// Begins the download of what is known already.
  func entry(for source: ClipSource) async -> Batch.Entry {
    let isAnother = await isAnotherClip(source)
    return .download(
      options.force || isAnother
        ? await rooms.downloader.redownload(source) : rooms.downloader.download(source))
  }

  /// Whether the clip on record under this id is another one: the ids of a catalog file are its own,
  /// and two files may give the same one.
  private func isAnotherClip(_ source: ClipSource) async -> Bool {
    guard source.id.hasPrefix("local:"), let record = await rooms.downloader.record(of: source.id)
    else { return false }
    return !record.source.url.isEmpty && record.source.url != source.url
  }
}
