import Testing

@testable import preview

struct CommandLineTests {
  struct Row: CustomTestStringConvertible {
    var words: [String]
    var expected: Result<Options, UsageError>
    var testDescription: String { "preview " + words.joined(separator: " ") }

    init(_ line: String, _ change: (inout Options) -> Void) {
      words = line.split(separator: " ").map { String($0) }
      var options = Options()
      change(&options)
      expected = .success(options)
    }

    init(_ line: String, fails message: String, command: String? = "download") {
      words = line.split(separator: " ").map { String($0) }
      expected = .failure(UsageError(message: message, command: command))
    }
  }

  static let rows: [Row] = [
    Row("download a b") { $0.operands = ["a", "b"] },
    Row("download a --jobs 3 b") {
      $0.operands = ["a", "b"]
      $0.jobs = 3
    },
    Row("download --jobs=3 --jobs=4 a") {
      $0.operands = ["a"]
      $0.jobs = 4
    },
    Row("download -j5 a") {
      $0.operands = ["a"]
      $0.jobs = 5
    },
    Row("download -qvf -j 6 a") {
      $0.operands = ["a"]
      ($0.quiet, $0.verbose, $0.force, $0.jobs) = (true, true, true, 6)
    },
    Row("download -- --jobs -q") { $0.operands = ["--jobs", "-q"] },
    Row("download -") { $0.operands = ["-"] },
    Row("download --country DE a") {
      $0.operands = ["a"]
      $0.country = "de"
    },
    Row("download --max-size 2M a") {
      $0.operands = ["a"]
      $0.maximumSize = 2 << 20
    },
    Row("list") { _ in },
    Row("list --state failed") { $0.state = "failed" },
    Row("retry") { _ in },
    Row("download", fails: "TRACK... is missing"),
    Row("download a --volme 3", fails: "unknown option '--volme'"),
    Row("download a --job 3", fails: "unknown option '--job'; did you mean '--jobs'?"),
    Row("download a -x", fails: "unknown option '-x'"),
    Row("download a --jobs", fails: "option '--jobs' wants N"),
    Row(
      "download a --jobs many",
      fails: "'many' makes no sense for '--jobs'. Downloads at a time. Default: 8. (1 to 64)"),
    Row(
      "download a --jobs 0",
      fails: "'0' makes no sense for '--jobs'. Downloads at a time. Default: 8. (1 to 64)"),
    Row("download a --quiet=yes", fails: "option '--quiet' takes no value"),
    Row("list extra", fails: "does not take 'extra'", command: "list"),
    Row("donwload a", fails: "unknown command 'donwload'; did you mean 'download'?", command: nil),
    Row("xyzzy a", fails: "unknown command 'xyzzy'", command: nil),
  ]

  @Test(arguments: rows) func `a line means what it says`(row: Row) {
    let result = Result { () throws(UsageError) -> Options in
      guard case .run(_, let options) = try CommandLineReader.read(row.words) else {
        return Options()
      }
      return options
    }
    #expect(result == row.expected)
  }

  @Test(arguments: Command.all.map(\.name)) func `each command has a page of help`(name: String)
    throws
  {
    guard case .show(let page) = try CommandLineReader.read([name, "--help"]) else {
      Issue.record("no help")
      return
    }
    #expect(page.contains("Usage: preview \(name)"))
    #expect(page.contains("Example:\n  preview \(name)"))
    #expect(page.split(separator: "\n").allSatisfy { $0.count <= 100 })
  }

  @Test func `an error of usage shows the way`() {
    let error = UsageError(message: "unknown option '--x'", command: "listen")
    #expect(
      error.text == """
        preview listen: unknown option '--x'
        Usage: preview listen [OPTION...] TRACK...
        Try 'preview listen --help'.

        """)
  }

  @Test(arguments: [
    ("500", 500), ("64K", 65536), ("2m", 2 << 20), ("x", nil), ("5ß", nil),
    ("99999999999999G", nil),
  ])
  func `a size is bytes, or with a unit`(text: String, expected: Int?) {
    #expect(Option.byteCount(text) == expected)
  }
}
