import PreviewCatalog
import PreviewDownloads
import PreviewPlayback
import Synchronization

extension Command {
  static let listen = Command(
    "listen", operands: "TRACK...",
    abstract: "Download the clip of each track, or take a file, and play it.",
    example: "preview listen \"artist - title\"",
    options: Option.fetching + Option.asking + [
      .text("output", "o", value: "FILE.wav", help: "Write the samples there instead of playing.") {
        $0.output = $1
      }
    ]
  ) { options, context in
    if options.output != nil && options.operands.count > 1 {
      context.console.say(
        UsageError(message: "--output takes one track", command: "listen").text)
      return .wrongUsage
    }
    return await withKeyboard(options, context) { keyboard in
      await Listening(options, context, keyboard).run()
    }
  }
}

/// Plays the tracks of one command line in their order, while the next ones are fetched.
struct Listening {
  private let options: Options
  private let context: Context
  private let keyboard: Keyboard?
  private let decoder = AudioDecoder()
  private let player: Player

  init(_ options: Options, _ context: Context, _ keyboard: Keyboard?) {
    self.options = options
    self.context = context
    self.keyboard = keyboard
    player = Player(
      PlayerSettings(
        applicationVersion: version, server: context["PULSE_SERVER"],
        runtimeDirectory: context["XDG_RUNTIME_DIR"]))
  }

  /// What one operand is.
  private enum Item: Sendable {
    case file(String)
    case track(TrackFinder.Asked)
  }

  func run() async -> ExitCode {
    // The sound server is reached while clips are still on their way; `play` reports its failure.
    if options.output == nil { Task { try? await player.prepare() } }
    let items: [Item]
    do throws(CatalogError) {
      items = try read(options.operands)
    } catch {
      context.console.fail("listen", error.message)
      return error.exitCode
    }
    let finder: TrackFinder?
    do throws(DownloadFailure) {
      finder = try await finderIfNeeded(for: items)
    } catch {
      context.console.fail("listen", error.message)
      return .diskFailure
    }
    let reporter = Batch.reporter(options, context)
    let use = Batch.Use(
      finished: { source, clip in await hear(source, clip, finder) }, takesKey: act,
      leave: { player.stop() })
    return await Batch(options, context, count: items.count, keyboard: keyboard, use: use)
      .run(items) { item in
        switch item {
        case .track(let asked):
          await finder?.entry(for: asked, reporter) ?? .failed(.trackFailed)
        case .file(let path):
          .file(
            ClipSource(id: path, title: fileName(path), artist: "", url: ""),
            FinishedClip(path: context.absolute(path), byteCount: 0, sha256: nil))
        }
      }
  }

  /// Tells files from tracks; throws where there is neither.
  private func read(_ operands: [String]) throws(CatalogError) -> [Item] {
    let isFile = operands.map { context.isFile($0) || context.isMissingFile($0) }
    let names = zip(operands, isFile).filter { !$1 }.map(\.0)
    let hasFiles = names.count < operands.count
    var tracks = try (hasFiles ? TrackFinder.meanings(of: names) : TrackFinder.read(names))[...]
    return zip(operands, isFile).compactMap { operand, isFile in
      isFile ? .file(operand) : tracks.popFirst().map { .track($0) }
    }
  }

  /// Files are played where they lie: for them alone there need be no media directory.
  private func finderIfNeeded(for items: [Item]) async throws(DownloadFailure) -> TrackFinder? {
    let hasTracks = items.contains { if case .track = $0 { true } else { false } }
    guard hasTracks else { return nil }
    return TrackFinder(
      rooms: try await Rooms(options, context), options: options, context: context)
  }

  /// The keys that mean something while a clip plays.
  private func act(on key: Key) -> Bool {
    guard player.position != nil else { return false }
    switch key {
    case .character(" "), .character("p"): player.togglePause()
    case .left: player.seek(by: -5)
    case .right: player.seek(by: 5)
    case .character("9"), .down: player.changeVolume(by: -2)
    case .character("0"), .up: player.changeVolume(by: 2)
    case .character("m"): player.toggleMute()
    case .character("<"): player.seek(to: 0)
    case .character(">"), .character("\n"): player.stop()
    default: return false
    }
    return true
  }

  /// Plays a clip, or writes its samples; one that turns out to be broken is to be fetched anew.
  private func hear(
    _ source: ClipSource, _ clip: FinishedClip, _ finder: TrackFinder?
  ) async -> ExitCode {
    if !options.quiet, !options.json, let credit = source.creditLine { context.console.say(credit) }
    do throws(PlaybackError) {
      let sound = try await decoder.decode(clip.path)
      if let output = options.output {
        guard !context.isSameFile(output, clip.path) else {
          context.console.fail("listen", "--output names the clip itself. Choose another name.")
          return .wrongUsage
        }
        try await WAVFile(sound).write(to: context.absolute(output))
        return .done
      }
      return try await play(sound, title: source.title, artist: source.artist)
    } catch {
      if error == .canceled { return .done }
      context.console.fail("listen", "\(source.displayName): \(error.message)")
      if error.isFaultOfFile {
        try? await finder?.rooms.downloader.markBroken(source.id, DownloadFailure(error))
      }
      return error.exitCode
    }
  }

  private func play(
    _ clip: AudioClip, title: String, artist: String
  ) async throws(PlaybackError) -> ExitCode {
    let name = [artist, title].filter { !$0.isEmpty }.joined(separator: " - ")
    let line = Task {
      guard context.console.canRewrite, !options.quiet, !options.json else { return }
      while !Task.isCancelled {
        context.console.rewrite(
          PlayingLine.text(
            name, position: player.position ?? 0, duration: clip.duration,
            isPaused: player.isPaused, volume: player.volume, isMuted: player.isMuted,
            width: context.console.width ?? 80))
        try? await Task.sleep(for: .milliseconds(250))
      }
    }
    let failure: PlaybackError?
    do throws(PlaybackError) {
      _ = try await player.play(clip, title: title, artist: artist)
      failure = nil
    } catch {
      failure = error
    }
    line.cancel()
    await line.value
    context.console.rewrite("")
    if let failure { throw failure }
    return .done
  }

  private func fileName(_ path: String) -> String {
    path.split(separator: "/").last.map { String($0) } ?? path
  }
}
