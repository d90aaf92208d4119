/// Everything a command line can say besides the command's name.
struct Options: Equatable, Sendable {
  var operands: [String] = []
  var mediaDirectory: String?
  var catalog: String?
  var country: String?
  var json = false
  var quiet = false
  var verbose = false
  var jobs = 8
  var retries = 5
  /// Seconds without a byte until a transfer is given up.
  var timeout = 20.0
  /// Bytes.
  var maximumSize = 32 << 20
  var force = false
  /// Which of the candidates, counted from 1.
  var pick: Int?
  var state: String?
  var limit = 10
  var output: String?
}

/// One option of the command line: its names, its help, and what it sets.
struct Option: Sendable {
  /// Without dashes.
  let name: String
  let short: Character?
  /// What stands for the value in help; nil for a flag.
  let value: String?
  let help: String
  /// Sets the option; false where the value makes no sense.
  let set: @Sendable (inout Options, String) -> Bool

  static func flag(
    _ name: String, _ short: Character? = nil, help: String,
    _ set: @escaping @Sendable (inout Options) -> Void
  ) -> Option {
    Option(name: name, short: short, value: nil, help: help) { options, _ in
      set(&options)
      return true
    }
  }

  static func text(
    _ name: String, _ short: Character? = nil, value: String, help: String,
    _ set: @escaping @Sendable (inout Options, String) -> Void
  ) -> Option {
    Option(name: name, short: short, value: value, help: help) { options, text in
      guard !text.isEmpty else { return false }
      set(&options, text)
      return true
    }
  }

  static func number(
    _ name: String, _ short: Character? = nil, value: String, in range: ClosedRange<Int>,
    help: String, _ set: @escaping @Sendable (inout Options, Int) -> Void
  ) -> Option {
    let bounds = "\(range.lowerBound) to \(range.upperBound)"
    return Option(name: name, short: short, value: value, help: "\(help) (\(bounds))") {
      options, text in
      guard let number = Int(text), range.contains(number) else { return false }
      set(&options, number)
      return true
    }
  }
}

extension Option {
  /// Options of every command.
  static let common: [Option] = [
    .text("media-dir", value: "DIR", help: "Where clips are kept.") { $0.mediaDirectory = $1 },
    .flag("json", help: "Print events as JSON, an object a line.") { $0.json = true },
    .flag("quiet", "q", help: "Say nothing but errors.") { $0.quiet = true },
    .flag("verbose", "v", help: "Say what is going on.") { $0.verbose = true },
  ]

  /// Options of the commands that ask a catalog.
  static let asking: [Option] = [
    .text("catalog", value: "NAME|FILE", help: "itunes, auto, or a catalog file. Default: auto.") {
      $0.catalog = $1
    },
    Option(
      name: "country", short: nil, value: "CC",
      help: "The store's country, two letters. Default: us."
    ) { options, text in
      guard text.utf8.count == 2, text.allSatisfy(\.isLetter) else { return false }
      options.country = text.lowercased()
      return true
    },
  ]

  /// Options of the commands that fetch.
  static let fetching: [Option] = [
    .number("jobs", "j", value: "N", in: 1...64, help: "Downloads at a time. Default: 8.") {
      $0.jobs = $1
    },
    .number(
      "retries", value: "N", in: 0...100, help: "Tries in a row without a byte. Default: 5."
    ) { $0.retries = $1 },
    .number(
      "timeout", value: "S", in: 1...3600, help: "Seconds without a byte to give up. Default: 20."
    ) { $0.timeout = Double($1) },
    Option(
      name: "max-size", short: nil, value: "SIZE",
      help: "Refuse larger files; bytes, or with K or M. Default: 32M."
    ) { options, text in
      guard let size = Self.byteCount(text), size > 0 else { return false }
      options.maximumSize = size
      return true
    },
    .flag("force", "f", help: "Download again what is finished.") { $0.force = true },
    .number("pick", value: "N", in: 1...25, help: "Take the Nth of the candidates.") {
      $0.pick = $1
    },
  ]

  /// Bytes in `500`, `64K` or `2M`; nil for anything else.
  static func byteCount(_ text: String) -> Int? {
    let units = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30]
    guard let last = text.last, let unit = units[last.uppercased()] else {
      return Int(text)
    }
    guard let number = Int(text.dropLast()) else { return nil }
    let (product, overflow) = number.multipliedReportingOverflow(by: unit)
    return overflow ? nil : product
  }
}
