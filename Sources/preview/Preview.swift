import Glibc

@main
struct Preview {
  /// The main thread waits for signals; everything else happens on others.
  ///
  /// An asynchronous main function would hand the thread to libdispatch, which unblocks its signals.
  static func main() {
    Signals.block()
    Task.detached {
      let context = Context.ofProcess()
      var code = await run(Array(CommandLine.arguments.dropFirst()), context)
      if let failure = context.console.outputFailure {
        context.console.say("preview: cannot write standard output: \(failure)")
        code = code.worse(.diskFailure)
      }
      // Not exit(3): handlers of libraries would run while their threads still do.
      _exit(code.rawValue)
    }
    Signals.deliver()
  }

  private static func run(_ words: [String], _ context: Context) async -> ExitCode {
    do throws(UsageError) {
      switch try CommandLineReader.read(words) {
      case .show(let text):
        context.console.out(String(text.dropLast()))
        return .done
      case .run(let command, let options):
        return await command.run(options, context)
      }
    } catch {
      context.console.say(String(error.text.dropLast()))
      return .wrongUsage
    }
  }
}
