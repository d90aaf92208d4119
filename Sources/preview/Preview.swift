import Glibc

@main
struct Preview {
  static func main() async {
    Signals.takeOver()
    let context = Context.ofProcess()
    var words: [String] = []
    for word in CommandLine.arguments.dropFirst() { words.append(word) }
    let code: ExitCode
    do throws(UsageError) {
      switch try CommandLineReader.read(words) {
      case .show(let text):
        context.console.out(String(text.dropLast()))
        code = .done
      case .run(let command, let options):
        code = await command.run(options, context)
      }
    } catch {
      context.console.say(String(error.text.dropLast()))
      code = .wrongUsage
    }
    // Not exit(3): handlers of libraries would run while their threads still do.
    _exit(code.rawValue)
  }
}
