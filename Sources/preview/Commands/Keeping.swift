import PreviewCatalog
import PreviewDownloads
import PreviewPlayback

extension Command {
  static let cancel = Command(
    "cancel", operands: "TRACK...", abstract: "Drop what was fetched of unfinished clips.",
    example: "preview cancel itunes:1440833098", options: Option.asking
  ) { options, context in
    await forEachRecord("cancel", options, context) { record, downloader throws(DownloadFailure) in
      guard record.state.name != .finished else {
        context.console.fail(
          "cancel", "\(record.source.displayName) is finished. To delete it: preview remove.")
        return .trackFailed
      }
      try await downloader.cancel(record.source.id)
      return .done
    }
  }

  static let remove = Command(
    "remove", operands: "TRACK...", abstract: "Delete finished clips.",
    example: "preview remove itunes:1440833098", options: Option.asking
  ) { options, context in
    await forEachRecord("remove", options, context) { record, downloader throws(DownloadFailure) in
      // One whose file is gone or changed counts as waiting.
      guard [.finished, .waiting].contains(record.state.name) else {
        context.console.fail(
          "remove", "\(record.source.displayName) is not finished. To drop it: preview cancel.")
        return .trackFailed
      }
      try await downloader.remove(record.source.id)
      return .done
    }
  }

  static let verify = Command(
    "verify", operands: "[TRACK...]", needsOperand: false,
    abstract: "Read and decode finished clips; a broken one becomes failed.",
    example: "preview verify", options: Option.asking
  ) { options, context in
    let decoder = AudioDecoder()
    let files = options.operands.filter { context.isFile($0) || context.isMissingFile($0) }
    var code = ExitCode.done
    for file in files {
      code = code.worse(await verifyFile(context.absolute(file), decoder, context))
    }
    if !files.isEmpty && files.count == options.operands.count { return code }
    var remaining = options
    remaining.operands.removeAll { files.contains($0) }
    let rest = await forEachRecord("verify", remaining, context) {
      record, downloader throws(DownloadFailure) in
      guard [.finished, .waiting].contains(record.state.name) else { return .done }
      return try await verify(record, downloader, decoder, context, options)
    }
    return code.worse(rest)
  }

  /// Reads a clip through; only a file that is at fault itself becomes failed.
  private static func verify(
    _ record: ClipRecord, _ downloader: Downloader, _ decoder: AudioDecoder, _ context: Context,
    _ options: Options
  ) async throws(DownloadFailure) -> ExitCode {
    var failure = await downloader.fault(of: record.source.id)
    if failure == nil, case .finished(let clip) = record.state {
      do throws(PlaybackError) {
        _ = try await decoder.decode(clip.path)
      } catch {
        guard error.isFaultOfFile else {
          context.console.fail("verify", "\(record.source.displayName): \(error.message)")
          return error.exitCode
        }
        failure = DownloadFailure(error)
      }
    }
    guard let failure else { return .done }
    guard failure.exitCode != .diskFailure else { throw failure }
    try await downloader.markBroken(record.source.id, failure)
    let reporter = Batch.reporter(options, context)
    reporter.changed(record.source, to: .failed(failure, Progress()))
    if case .finished(let clip) = record.state { reporter.finished(record.source, path: clip.path) }
    return .trackFailed
  }

  private static func verifyFile(
    _ path: String, _ decoder: AudioDecoder, _ context: Context
  ) async -> ExitCode {
    do throws(PlaybackError) {
      _ = try await decoder.decode(path)
      return .done
    } catch {
      context.console.out(path)
      context.console.fail("verify", "\(path): \(error.message)")
      return error.exitCode
    }
  }

  /// Does something with the record of each operand, or with all records where there is none.
  private static func forEachRecord(
    _ name: String, _ options: Options, _ context: Context,
    _ work: (ClipRecord, Downloader) async throws(DownloadFailure) -> ExitCode
  ) async -> ExitCode {
    guard !context.isMissing(mediaDirectoryOf: options, name) else {
      return options.operands.isEmpty ? .done : .trackFailed
    }
    return await Rooms.opened(for: name, options, context) { rooms throws(DownloadFailure) in
      var code = ExitCode.done
      var records = options.operands.isEmpty ? try await rooms.downloader.records() : []
      for operand in options.operands {
        guard let record = await rooms.record(of: operand, options, context) else {
          context.console.fail(
            name, "'\(operand)' is not in \(context.mediaDirectory(options)). See: preview list.")
          code = code.worse(.trackFailed)
          continue
        }
        records.append(record)
      }
      for record in records {
        do throws(DownloadFailure) {
          code = code.worse(try await work(record, rooms.downloader))
        } catch {
          context.console.fail(name, error.message)
          code = code.worse(error.exitCode)
        }
      }
      return code
    }
  }
}

extension Rooms {
  /// The record an operand means, without asking a catalog: by id, by what the words led to before, or
  /// by words that fit one record only.
  fileprivate func record(of operand: String, _ options: Options, _ context: Context) async
    -> ClipRecord?
  {
    guard let reference = try? TrackReference(operand) else { return nil }
    let finder = TrackFinder(rooms: self, options: options, context: context)
    if let id = await finder.knownID(for: reference), let record = await downloader.record(of: id) {
      return record
    }
    guard case .words(let words) = reference, let all = try? await downloader.records() else {
      return nil
    }
    let wanted = Set(words.lowercased().split { !$0.isLetter && !$0.isNumber })
    let fitting = all.filter { record in
      let text = "\(record.source.artist) \(record.source.title)".lowercased()
      return wanted.isSubset(of: Set(text.split { !$0.isLetter && !$0.isNumber }))
    }
    return fitting.count == 1 ? fitting[0] : nil
  }
}
