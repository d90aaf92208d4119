import PreviewDownloads

/// Tells of what happens during a command, to whoever reads it.
protocol Reporter: Sendable {
  /// A track was found.
  func resolved(asked: String, _ source: ClipSource)
  /// A download's state is another.
  func changed(_ source: ClipSource, to state: DownloadState)
  /// A track asked for has no clip, and why, as in design of the failures' words.
  func failed(asked: String, reason: String?, message: String)
  /// A finished clip, in the order asked for.
  func finished(_ source: ClipSource, path: String)
  /// What became of all of them.
  func summary(_ summary: Summary)
  /// Something that is no result.
  func note(_ text: String)
}

/// An object a line on standard output.
struct JSONReporter: Reporter {
  let console: Console

  func resolved(asked: String, _ source: ClipSource) {
    console.out(
      JSONLine([
        "event": .text("resolved"), "asked": .text(asked), "id": .text(source.id),
        "title": .text(source.title), "artist": .text(source.artist),
        "source": .text(String(source.url.prefix { $0 != "?" })),
      ]).text)
  }

  func changed(_ source: ClipSource, to state: DownloadState) {
    let id = JSONLine.Value.text(source.id)
    let name = JSONLine.Value.text(state.name.rawValue)
    let line =
      switch state {
      case .waiting:
        JSONLine(["event": .text("state"), "id": id, "state": name])
      case .downloading(let progress), .paused(let progress):
        JSONLine([
          "event": .text("state"), "id": id, "state": name, "received": .number(progress.received),
          "expected": .number(progress.expected),
        ])
      case .failed(let failure, _):
        JSONLine([
          "event": .text("state"), "id": id, "state": name,
          "reason": .text(failure.reason.rawValue), "message": .text(failure.message),
        ])
      case .finished(let clip):
        JSONLine([
          "event": .text("state"), "id": id, "state": name, "path": .text(clip.path),
          "bytes": .number(clip.byteCount), "sha256": .text(clip.sha256),
          "resumedFrom": .number(clip.resumedFrom),
        ])
      }
    console.out(line.text)
  }

  func failed(asked: String, reason: String?, message: String) {
    console.out(
      JSONLine([
        "event": .text("state"), "asked": .text(asked), "id": .null, "state": .text("failed"),
        "reason": .text(reason), "message": .text(message),
      ]).text)
  }

  func finished(_ source: ClipSource, path: String) {}

  func summary(_ summary: Summary) {
    console.out(
      JSONLine([
        "event": .text("summary"), "finished": .number(summary.finished),
        "failed": .number(summary.failed), "present": .number(summary.present),
        "deferred": .number(0), "bytes": .number(summary.bytes),
        "seconds": .decimal((summary.seconds * 1000).rounded() / 1000),
      ]).text)
  }

  func note(_ text: String) { console.say(text) }
}

/// Lines for a person, or for a log.
struct PlainReporter: Reporter {
  let console: Console
  let options: Options
  /// Whether a line at the bottom shows the states already.
  let hasLine: Bool

  func resolved(asked: String, _ source: ClipSource) {
    if options.verbose { console.say("\(source.id): \(source.displayName)") }
  }

  func changed(_ source: ClipSource, to state: DownloadState) {
    switch state {
    case .failed(let failure, _):
      console.say(
        "\(source.displayName): \(failure.reason.rawValue): \(DisplayText.clean(failure.message))")
    case .downloading(let progress) where options.verbose && !hasLine:
      console.say("\(source.displayName): \(ProgressLine.bytes(progress.received))")
    case .paused(let progress) where !options.quiet && !hasLine:
      console.say("\(source.displayName): paused at \(ProgressLine.bytes(progress.received))")
    case .waiting, .downloading, .paused, .finished: break
    }
  }

  func failed(asked: String, reason: String?, message: String) {
    let word = reason.map { $0 + ": " } ?? ""
    console.say("\(DisplayText.clean(asked)): \(word)\(DisplayText.clean(message))")
  }

  func finished(_ source: ClipSource, path: String) { console.out(path) }

  func summary(_ summary: Summary) {}

  func note(_ text: String) {
    if !options.quiet { console.say(DisplayText.clean(text)) }
  }
}

extension ClipSource {
  /// `Artist - Title`, fit for a terminal.
  var displayName: String {
    DisplayText.clean(artist.isEmpty ? title : "\(artist) - \(title)")
  }

  /// Whom the clip comes from and where the track can be bought.
  var creditLine: String? {
    let parts = [credit, storeURL].compactMap { $0 }
    return parts.isEmpty ? nil : "\(displayName), \(parts.joined(separator: ": "))"
  }
}
