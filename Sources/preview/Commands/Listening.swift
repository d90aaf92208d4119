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
      PlayerSettings(applicationVersion: version, runtimeDirectory: context["XDG_RUNTIME_DIR"]))
  }

  func run() async -> ExitCode {
    // The sound server is reached while clips are still on their way; `play` reports its failure.
    if options.output == nil { Task { try? await player.prepare() } }
    var code = ExitCode.done
    var tracks: [String] = []
    for operand in options.operands {
      guard context.isFile(operand) else {
        tracks.append(operand)
        continue
      }
      if !tracks.isEmpty { code = code.worse(await listen(toTracks: tracks)) }
      tracks = []
      code = code.worse(await hear(context.absolute(operand), title: fileName(operand), artist: ""))
    }
    if !tracks.isEmpty { code = code.worse(await listen(toTracks: tracks)) }
    return code
  }

  private func listen(toTracks operands: [String]) async -> ExitCode {
    let asked: [TrackFinder.Asked]
    do throws(CatalogError) {
      asked = try TrackFinder.read(operands)
    } catch {
      context.console.fail("listen", error.message)
      return error.exitCode
    }
    do throws(DownloadFailure) {
      let rooms = try await Rooms(options, context)
      return await Batch(
        rooms, options, context, count: asked.count, keyboard: keyboard
      ) { source, clip in
        if !options.quiet, !options.json, let credit = source.creditLine {
          context.console.say(credit)
        }
        return await hear(clip.path, title: source.title, artist: source.artist)
      }.run(asked)
    } catch {
      context.console.fail("listen", error.message)
      return .diskFailure
    }
  }

  private func hear(_ path: String, title: String, artist: String) async -> ExitCode {
    do throws(PlaybackError) {
      let clip = try await decoder.decode(path)
      if let output = options.output {
        try await WAVFile(clip).write(to: context.absolute(output))
        return .done
      }
      return try await play(clip, title: title, artist: artist)
    } catch {
      context.console.fail("listen", "\(path): \(error.message)")
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
            isPaused: player.isPaused, width: context.console.width ?? 80))
        try? await Task.sleep(for: .milliseconds(250))
      }
    }
    let ending = try await player.play(clip, title: title, artist: artist)
    line.cancel()
    context.console.rewrite("")
    return ending == .finished ? .done : .interrupted
  }

  private func fileName(_ path: String) -> String {
    path.split(separator: "/").last.map { String($0) } ?? path
  }
}
