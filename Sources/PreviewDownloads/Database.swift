import CSQLite

/// Owns one connection to an SQLite file and its prepared statements.
///
/// Not thread-safe: it stays on the library's thread. Wraps sqlite3_open_v2, sqlite3_prepare_v2,
/// sqlite3_step and their family.
@safe final class Database: @unchecked Sendable {
  /// What SQLite says of a call that failed.
  struct Failure: Error, Equatable {
    /// A result code, such as `SQLITE_BUSY`.
    var code: Int32
    var message: String

    /// Whether the file is no database, or one with damage.
    var isDamage: Bool { code == SQLITE_NOTADB || code == SQLITE_CORRUPT }
  }

  enum Value: Equatable {
    case text(String)
    case integer(Int)
    case null

    var text: String? { if case .text(let text) = self { text } else { nil } }
    var integer: Int? { if case .integer(let integer) = self { integer } else { nil } }
  }

  private let connection: OpaquePointer
  private var statements: [String: Statement] = [:]

  /// Opens the file, which is made where it is missing; `:memory:` keeps all in memory.
  init(path: String) throws(Failure) {
    var connection: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let status = unsafe sqlite3_open_v2(path, &connection, flags, nil)
    guard status == SQLITE_OK, let opened = unsafe connection else {
      let message = unsafe connection.map { unsafe String(cString: sqlite3_errmsg($0)) }
      unsafe sqlite3_close_v2(connection)
      throw Failure(code: status, message: message ?? "out of memory")
    }
    unsafe self.connection = opened
    unsafe sqlite3_busy_timeout(opened, 5000)
  }

  deinit {
    statements = [:]
    unsafe sqlite3_close_v2(connection)
  }

  /// Runs statements that have neither values nor rows.
  func execute(_ sql: String) throws(Failure) {
    try check(unsafe sqlite3_exec(connection, sql, nil, nil, nil))
  }

  /// Runs one statement with its values and collects its rows.
  @discardableResult
  func run(_ sql: String, _ values: [Value] = []) throws(Failure) -> [[Value]] {
    let statement = try prepared(sql)
    defer { statement.reset() }
    for (index, value) in values.enumerated() {
      try check(statement.bind(value, at: Int32(index + 1)))
    }
    var rows: [[Value]] = []
    while true {
      switch statement.step() {
      case SQLITE_ROW: rows.append(statement.row)
      case SQLITE_DONE: return rows
      case let status: try check(status)
      }
    }
  }

  /// Reads every page once; damage is an error like any other.
  ///
  /// Wraps PRAGMA quick_check.
  func checkForDamage() throws(Failure) {
    if let found = try run("PRAGMA quick_check(1)").first?.first?.text, found != "ok" {
      throw Failure(code: SQLITE_CORRUPT, message: found)
    }
  }

  private func prepared(_ sql: String) throws(Failure) -> Statement {
    if let statement = statements[sql] { return statement }
    var pointer: OpaquePointer?
    try check(unsafe sqlite3_prepare_v2(connection, sql, -1, &pointer, nil))
    guard let pointer = unsafe pointer else {
      preconditionFailure("an empty statement: \(sql)")
    }
    let statement = unsafe Statement(pointer: pointer)
    statements[sql] = statement
    return statement
  }

  private func check(_ status: Int32) throws(Failure) {
    guard status != SQLITE_OK else { return }
    throw Failure(code: status, message: unsafe String(cString: sqlite3_errmsg(connection)))
  }
}

/// Owns a prepared statement.
///
/// Wraps sqlite3_bind_*, sqlite3_step and sqlite3_column_*.
@safe private final class Statement {
  private let pointer: OpaquePointer

  init(pointer: OpaquePointer) { unsafe self.pointer = pointer }

  deinit { unsafe sqlite3_finalize(pointer) }

  func bind(_ value: Database.Value, at position: Int32) -> Int32 {
    switch value {
    case .text(let text): unsafe csqlite_bind_text(pointer, position, text)
    case .integer(let number): unsafe sqlite3_bind_int64(pointer, position, Int64(number))
    case .null: unsafe sqlite3_bind_null(pointer, position)
    }
  }

  func step() -> Int32 { unsafe sqlite3_step(pointer) }

  func reset() {
    unsafe sqlite3_reset(pointer)
    unsafe sqlite3_clear_bindings(pointer)
  }

  /// The row `step` has reached.
  var row: [Database.Value] {
    let count = unsafe sqlite3_column_count(pointer)
    return (0..<count).map { column in
      switch unsafe sqlite3_column_type(pointer, column) {
      case SQLITE_INTEGER: .integer(Int(unsafe sqlite3_column_int64(pointer, column)))
      case SQLITE_NULL: .null
      default:
        .text(unsafe sqlite3_column_text(pointer, column).map { unsafe String(cString: $0) } ?? "")
      }
    }
  }
}
