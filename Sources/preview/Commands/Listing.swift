import PreviewDownloads

extension Command {
  static let list = Command(
    "list", operands: "", needsOperand: false, abstract: "Show what is in the media directory.",
    example: "preview list --state failed",
    options: [
      Option(
        name: "state", short: "s", value: "STATE",
        help: "Only waiting, downloading, paused, failed or finished ones."
      ) { options, text in
        options.state = text
        return DownloadState.Name(rawValue: text) != nil
      }
    ]
  ) { options, context in
    guard !context.isMissing(mediaDirectoryOf: options, "list") else { return .done }
    return await Rooms.opened(for: "list", options, context) { rooms throws(DownloadFailure) in
      let records = try await rooms.downloader.records().filter {
        options.state == nil || $0.state.name.rawValue == options.state
      }
      if options.json {
        for record in records { context.console.out(record.jsonLine.text) }
      } else {
        Table(
          columns: ["STATE", "ID", "TRACK", "PROGRESS"],
          rows: records.map {
            [$0.state.name.rawValue, $0.source.id, $0.source.displayName, $0.detail]
          },
          flexible: 2, dispensable: [3]
        ).write(to: context.console)
      }
      return .done
    }
  }
}

extension ClipRecord {
  /// How far it is, or why it failed.
  fileprivate var detail: String {
    switch state {
    case .waiting: ""
    case .downloading(let progress), .paused(let progress): progress.text
    case .failed(let failure, _): failure.reason.rawValue
    case .finished(let clip): ProgressLine.bytes(clip.byteCount)
    }
  }

  fileprivate var jsonLine: JSONLine {
    var path: String?
    var reason: String?
    if case .finished(let clip) = state { path = clip.path }
    if case .failed(let failure, _) = state { reason = failure.reason.rawValue }
    var progress = state.progress ?? PreviewDownloads.Progress()
    if case .finished(let clip) = state {
      progress = PreviewDownloads.Progress(received: clip.byteCount, expected: clip.byteCount)
    }
    return JSONLine([
      "id": .text(source.id), "state": .text(state.name.rawValue), "title": .text(source.title),
      "artist": .text(source.artist), "path": .text(path), "received": .number(progress.received),
      "expected": .number(progress.expected), "reason": .text(reason),
      "updated": .text(Timestamp.text(updated)),
    ])
  }
}

extension PreviewDownloads.Progress {
  /// Such as `600 kB of 1.0 MB`.
  fileprivate var text: String {
    let received = ProgressLine.bytes(received)
    return expected.map { "\(received) of \(ProgressLine.bytes($0))" } ?? received
  }
}
