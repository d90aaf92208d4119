import PreviewCatalog
import PreviewDownloads

extension Command {
  static let download = Command(
    "download", operands: "TRACK...", abstract: "Download the clip of each track.",
    example: "preview download \"artist - title\" itunes:1440833098",
    options: Option.fetching + Option.asking
  ) { options, context in
    await fetch("download", options, context)
  }

  static let retry = Command(
    "retry", operands: "[TRACK...]", needsOperand: false,
    abstract: "Go on with what failed or was interrupted, or with the tracks named.",
    example: "preview retry", options: Option.fetching + Option.asking
  ) { options, context in
    guard options.operands.isEmpty else { return await fetch("retry", options, context) }
    return await Rooms.opened(for: "retry", options, context) { rooms throws(DownloadFailure) in
      let records = try await rooms.downloader.records().filter {
        [.failed, .paused].contains($0.state.name)
      }
      return await fetch(records, rooms, options, context)
    }
  }

  private static func fetch(
    _ name: String, _ options: Options, _ context: Context
  ) async -> ExitCode {
    let asked: [TrackFinder.Asked]
    do throws(CatalogError) {
      if let file = options.operands.first(where: { $0.contains("/") && context.isFile($0) }) {
        throw .malformed(file, expected: "a track; to hear a file: preview listen FILE")
      }
      asked = try TrackFinder.read(options.operands)
    } catch {
      context.console.fail(name, error.message)
      return error.exitCode
    }
    return await Rooms.opened(for: name, options, context) { rooms in
      await withKeyboard(options, context) { keyboard in
        let finder = TrackFinder(rooms: rooms, options: options, context: context)
        let reporter = Batch.reporter(options, context)
        let code = await Batch(
          options, context, count: asked.count, keyboard: keyboard, use: printing(options, context)
        ).run(asked) { asked in await finder.entry(for: asked, reporter) }
        let areWords = options.operands.allSatisfy { !$0.contains { " :/".contains($0) } }
        if code == .trackFailed, asked.count > 1, areWords {
          let words = options.operands.joined(separator: " ")
          reporter.note("Is that one track? Then put it in quotes: preview \(name) \"\(words)\"")
        }
        return code
      }
    }
  }

  /// Goes on with recorded clips: those whose address died are looked up again.
  private static func fetch(
    _ records: [ClipRecord], _ rooms: Rooms, _ options: Options, _ context: Context
  ) async -> ExitCode {
    let finder = TrackFinder(rooms: rooms, options: options, context: context)
    let reporter = Batch.reporter(options, context)
    return await withKeyboard(options, context) { keyboard in
      var use = printing(options, context)
      use.hasSummary = true
      return await Batch(
        options, context, count: records.count, keyboard: keyboard, use: use
      ).run(records) { record in
        guard let asked = record.questionForNewAddress else {
          return await finder.entry(for: record.source)
        }
        return await finder.entry(for: asked, reporter)
      }
    }
  }

  /// Prints the path, and the credit of what was fetched just now.
  private static func printing(
    _ options: Options, _ context: Context
  ) -> Batch.Use {
    let reporter = Batch.reporter(options, context)
    return Batch.Use { source, clip in
      reporter.finished(source, path: clip.path)
      if clip.resumedFrom < clip.byteCount, let credit = source.creditLine { reporter.note(credit) }
      return .done
    }
  }

  /// Takes the keys for as long as `work` runs, where there is a person to press them.
  static func withKeyboard(
    _ options: Options, _ context: Context, _ work: (Keyboard?) async -> ExitCode
  ) async -> ExitCode {
    let keyboard = options.showsLine(on: context.console) ? Keyboard() : nil
    let code = await work(keyboard)
    keyboard?.restore()
    return code
  }
}

extension ClipRecord {
  /// What to ask the catalog before trying again, where the clip's address has died.
  fileprivate var questionForNewAddress: TrackFinder.Asked? {
    guard case .failed(let failure, _) = state,
      [.gone, .forbidden].contains(failure.reason) || source.url.isEmpty,
      let reference = try? TrackReference(source.id), !source.id.hasPrefix("url:")
    else { return nil }
    return TrackFinder.Asked(text: source.id, reference: .success(reference))
  }
}
