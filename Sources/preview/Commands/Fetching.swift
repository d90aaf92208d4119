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
    do throws(DownloadFailure) {
      let rooms = try await Rooms(options, context)
      let records = try await rooms.downloader.records().filter {
        [.failed, .paused].contains($0.state.name)
      }
      return await fetch(records, rooms, options, context)
    } catch {
      context.console.fail("retry", error.message)
      return .diskFailure
    }
  }

  private static func fetch(
    _ name: String, _ options: Options, _ context: Context
  ) async -> ExitCode {
    let asked: [TrackFinder.Asked]
    do throws(CatalogError) {
      asked = try TrackFinder.read(options.operands)
    } catch {
      context.console.fail(name, error.message)
      return error.exitCode
    }
    do throws(DownloadFailure) {
      let rooms = try await Rooms(options, context)
      return await withKeyboard(options, context) { keyboard in
        await Batch(
          rooms, options, context, count: asked.count, keyboard: keyboard,
          onFinished: printing(options, context)
        ).run(asked)
      }
    } catch {
      context.console.fail(name, error.message)
      return .diskFailure
    }
  }

  /// Goes on with recorded clips: those whose address died are looked up again.
  private static func fetch(
    _ records: [ClipRecord], _ rooms: Rooms, _ options: Options, _ context: Context
  ) async -> ExitCode {
    await withKeyboard(options, context) { keyboard in
      let batch = Batch(
        rooms, options, context, count: records.count, keyboard: keyboard,
        onFinished: printing(options, context))
      let dead: Set<DownloadFailure.Reason> = [.gone, .forbidden]
      let isDead: (ClipRecord) -> Bool = { record in
        if case .failed(let failure, _) = record.state { return dead.contains(failure.reason) }
        return false
      }
      let code = await batch.run(records.filter { !isDead($0) }.map(\.source))
      let lookups = records.filter(isDead).compactMap { record in
        (try? TrackReference(
          record.source.id.hasPrefix("url:") ? record.source.url : record.source.id))
          .map { TrackFinder.Asked(text: record.source.id, reference: $0) }
      }
      return lookups.isEmpty ? code : code.worse(await batch.run(lookups))
    }
  }

  /// Prints the path, and the credit of what was fetched just now.
  private static func printing(
    _ options: Options, _ context: Context
  ) -> @Sendable (ClipSource, FinishedClip) async -> ExitCode {
    let reporter = Batch.reporter(options, context)
    return { source, clip in
      reporter.finished(source, path: clip.path)
      if clip.resumedFrom < clip.byteCount, let credit = source.creditLine { reporter.note(credit) }
      return .done
    }
  }

  /// Takes the keys for as long as `work` runs, where there is a person to press them.
  static func withKeyboard(
    _ options: Options, _ context: Context, _ work: (Keyboard?) async -> ExitCode
  ) async -> ExitCode {
    let isInteractive = context.console.canRewrite && !options.json && !options.quiet
    let keyboard = isInteractive ? Keyboard() : nil
    let code = await work(keyboard)
    keyboard?.restore()
    return code
  }
}
