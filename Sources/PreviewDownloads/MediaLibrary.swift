import CSQLite
import Glibc
import PreviewThreads

/// The records of all clips of a media directory, in SQLite, used on a thread of its own.
final class MediaLibrary: Sendable {
  private let database: Database
  private let thread = BlockingThreads()
  /// Seconds since 1970.
  private let now: @Sendable () -> Int

  private init(database: Database, now: @escaping @Sendable () -> Int) {
    self.database = database
    self.now = now
  }

  /// What opening a library came to.
  struct Opened {
    var library: MediaLibrary
    /// Whether it holds nothing of what may be on disk.
    var isNew: Bool
    /// What a person should know of it.
    var warning: String?
  }

  /// Opens the library; one that cannot be used never stops a user.
  ///
  /// A damaged file is moved aside and begun anew; where even that fails, the records of this run are
  /// kept in memory.
  static func open(
    path: String, now: @escaping @Sendable () -> Int, moveAside: (String) -> String?
  ) throws(DownloadFailure) -> Opened {
    do throws(Database.Failure) {
      let (database, isNew) = try prepared(path)
      return Opened(library: MediaLibrary(database: database, now: now), isNew: isNew)
    } catch {
      var warning = "The library \(path) cannot be used (\(error.message))"
      if error.isDamage, let aside = moveAside(path), let (database, _) = try? prepared(path) {
        warning += "; it is now \(aside), and a new one is built from the clips on disk."
        return Opened(
          library: MediaLibrary(database: database, now: now), isNew: true, warning: warning)
      }
      guard let (database, _) = try? prepared(":memory:") else {
        throw DownloadFailure(.disk, "\(warning).")
      }
      warning += "; nothing is recorded in this run."
      return Opened(
        library: MediaLibrary(database: database, now: now), isNew: true, warning: warning)
    }
  }

  private static func prepared(_ path: String) throws(Database.Failure) -> (Database, isNew: Bool) {
    let database = try Database(path: path)
    let version = try database.run("PRAGMA user_version").first?.first?.integer ?? 0
    // The log is synced only when it is merged: a lost record is found again on disk, while a sync for
    // each would cost more than the download.
    try database.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
    if version == 0 {
      try database.execute(schema)
    } else {
      try database.checkForDamage()
    }
    return (database, version == 0)
  }

  private static let schema = """
    CREATE TABLE IF NOT EXISTS clip (
      id TEXT PRIMARY KEY, title TEXT NOT NULL, artist TEXT NOT NULL, url TEXT NOT NULL,
      store_url TEXT, credit TEXT, state TEXT NOT NULL, name TEXT, total INTEGER, validator TEXT,
      boot_id TEXT, sha256 TEXT, reason TEXT, message TEXT, updated INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS asked (
      question TEXT PRIMARY KEY, id TEXT NOT NULL, updated INTEGER NOT NULL
    ) WITHOUT ROWID;
    PRAGMA user_version = 1;
    """

  private static let columns =
    "id, title, artist, url, store_url, credit, state, name, total, validator, boot_id, sha256, "
    + "reason, message, updated"

  /// The row of a clip.
  func clip(_ id: String) async throws(DownloadFailure) -> StoredClip? {
    try await run { database throws(Database.Failure) in
      try database.run("SELECT \(Self.columns) FROM clip WHERE id = ?", [.text(id)])
        .first.flatMap(StoredClip.init(row:))
    }
  }

  /// Every row, in the order of their last change.
  func clips() async throws(DownloadFailure) -> [StoredClip] {
    try await run { database throws(Database.Failure) in
      try database.run("SELECT \(Self.columns) FROM clip ORDER BY updated, id")
        .compactMap(StoredClip.init(row:))
    }
  }

  /// Writes a row whole, with the time of now.
  func save(_ clip: StoredClip) async throws(DownloadFailure) {
    try await run { database throws(Database.Failure) in try self.write(clip, to: database) }
  }

  /// The same without waiting; `whenDone` is called on the library's thread, with what went wrong.
  func save(_ clip: StoredClip, whenDone: @escaping @Sendable (DownloadFailure?) -> Void) {
    thread.enqueue { [self] in
      do throws(Database.Failure) {
        try write(clip, to: database)
        whenDone(nil)
      } catch {
        whenDone(DownloadFailure(error))
      }
    }
  }

  /// Waits until everything handed in before is done.
  func settle() async {
    await thread.run {}
  }

  /// Forgets a clip.
  func remove(_ id: String) async throws(DownloadFailure) {
    try await run { database throws(Database.Failure) in
      try database.run("DELETE FROM clip WHERE id = ?", [.text(id)])
    }
  }

  /// Remembers which track a question led to.
  func remember(question: String, id: String) async throws(DownloadFailure) {
    let updated = now()
    try await run { database throws(Database.Failure) in
      try database.run(
        "INSERT OR REPLACE INTO asked VALUES (?, ?, ?)",
        [.text(question), .text(id), .integer(updated)])
    }
  }

  /// The track a question led to before.
  func answer(to question: String) async throws(DownloadFailure) -> String? {
    try await run { database throws(Database.Failure) in
      try database.run("SELECT id FROM asked WHERE question = ?", [.text(question)]).first?[0].text
    }
  }

  private func write(_ clip: StoredClip, to database: Database) throws(Database.Failure) {
    try database.run(
      "INSERT OR REPLACE INTO clip VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      clip.row(updated: now()))
  }

  @discardableResult
  private func run<Value: Sendable>(
    _ work: @escaping @Sendable (Database) throws(Database.Failure) -> Value
  ) async throws(DownloadFailure) -> Value {
    let database = database
    do throws(Database.Failure) {
      return try await thread.run { () throws(Database.Failure) in try work(database) }
    } catch {
      throw DownloadFailure(error)
    }
  }
}

extension DownloadFailure {
  fileprivate init(_ failure: Database.Failure) {
    self =
      switch failure.code & 0xFF {
      case SQLITE_FULL:
        .disk(ENOSPC, "record the clip")
      case SQLITE_BUSY, SQLITE_LOCKED:
        DownloadFailure(
          .disk, "Another program holds the library. End it, or wait, and try again.")
      default: DownloadFailure(.disk, "The library cannot be used: \(failure.message).")
      }
  }
}

extension StoredClip {
  fileprivate init?(row: [Database.Value]) {
    guard row.count == 15, let id = row[0].text, let title = row[1].text, let artist = row[2].text,
      let url = row[3].text, let state = row[6].text.flatMap(DownloadState.Name.init(rawValue:)),
      let updated = row[14].integer
    else { return nil }
    source = ClipSource(
      id: id, title: title, artist: artist, url: url, storeURL: row[4].text, credit: row[5].text)
    self.state = state
    name = row[7].text
    total = row[8].integer
    validator = row[9].text.flatMap(EntityValidator.init(fieldValue:))
    bootID = row[10].text
    sha256 = row[11].text
    failure = row[12].text.flatMap(DownloadFailure.Reason.init(rawValue:)).map {
      DownloadFailure($0, row[13].text ?? "")
    }
    self.updated = updated
  }

  fileprivate func row(updated: Int) -> [Database.Value] {
    func text(_ value: String?) -> Database.Value { value.map { .text($0) } ?? .null }
    return [
      .text(source.id), .text(source.title), .text(source.artist), .text(source.url),
      text(source.storeURL), text(source.credit), .text(state.rawValue), text(name),
      total.map { .integer($0) } ?? .null, text(validator?.fieldValue), text(bootID), text(sha256),
      text(failure?.reason.rawValue), text(failure?.message), .integer(updated),
    ]
  }
}
