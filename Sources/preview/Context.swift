import Glibc

/// The world a command runs in; nothing else reads the environment.
struct Context: Sendable {
  let environment: [String: String]
  let workingDirectory: String
  let console: Console

  /// The world of this process.
  static func ofProcess() -> Context {
    var environment: [String: String] = [:]
    var entry = unsafe environ
    while let text = unsafe entry.pointee {
      let parts = unsafe String(cString: text).split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { environment[String(parts[0])] = String(parts[1]) }
      unsafe entry += 1
    }
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    let directory = unsafe getcwd(&path, path.count).map { unsafe String(cString: $0) }
    return Context(
      environment: environment, workingDirectory: directory ?? "/",
      console: Console(environment: environment))
  }

  /// The value of a variable, where it is set and not empty.
  subscript(variable: String) -> String? {
    environment[variable].flatMap { $0.isEmpty ? nil : $0 }
  }

  func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : workingDirectory + "/" + path
  }

  /// Whether `path` is a regular file, or a link to one.
  func isFile(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(absolute(path), &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Whether two paths lead to the same file.
  func isSameFile(_ first: String, _ second: String) -> Bool {
    var (one, other) = (stat(), stat())
    guard unsafe stat(absolute(first), &one) == 0, unsafe stat(absolute(second), &other) == 0 else {
      return false
    }
    return one.st_dev == other.st_dev && one.st_ino == other.st_ino
  }

  /// Whether there is nothing of that name.
  func isMissing(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) != 0 && [ENOENT, ENOTDIR].contains(errno)
  }

  /// Whether an operand is plainly meant as a path, though no file lies there.
  func isMissingFile(_ operand: String) -> Bool {
    ["/", "./", "../"].contains { operand.hasPrefix($0) } && !isFile(operand)
  }

  /// Where clips are kept: what the command line says, else the environment, else the folder
  /// `Previews` in the person's music folder.
  func mediaDirectory(_ options: Options) -> String {
    absolute(options.mediaDirectory ?? self["PREVIEW_MEDIA_DIR"] ?? musicFolder + "/Previews")
  }

  /// Names the run of the system.
  var bootID: String {
    (Self.contents(of: "/proc/sys/kernel/random/boot_id") ?? "").filter { !$0.isWhitespace }
  }

  /// How many files the process may have open: as many as the system allows it.
  static func openFileLimit() -> Int {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
      return 256
    }
    var raised = rlimit(rlim_cur: limit.rlim_max, rlim_max: limit.rlim_max)
    if unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0 {
      limit = raised
    }
    return Int(clamping: limit.rlim_cur)
  }

  /// The music folder of the XDG user directories (xdg-user-dirs, user-dirs.dirs).
  private var musicFolder: String {
    let home = self["HOME"] ?? Self.homeOfUser
    let configuration = self["XDG_CONFIG_HOME"] ?? home + "/.config"
    let lines = (Self.contents(of: configuration + "/user-dirs.dirs") ?? "").split(separator: "\n")
    for line in lines where line.hasPrefix("XDG_MUSIC_DIR=") {
      let value = line.dropFirst("XDG_MUSIC_DIR=".count).filter { $0 != "\"" }
      if value.hasPrefix("$HOME/") { return home + value.dropFirst("$HOME".count) }
      if value.hasPrefix("/") { return value }
    }
    return home + "/Music"
  }

  /// What the system's list of users says: cron and the like may set no HOME.
  private static var homeOfUser: String {
    guard let user = unsafe getpwuid(getuid()) else { return "" }
    return unsafe String(cString: user.pointee.pw_dir)
  }

  private static func contents(of path: String) -> String? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 64 << 10)
    let count = unsafe read(descriptor, &bytes, bytes.count)
    return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
  }
}
