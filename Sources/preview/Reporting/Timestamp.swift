import Glibc

/// Points in time and lengths of it as text.
enum Timestamp {
  /// Minutes and seconds, such as `3:07`.
  static func clock(_ seconds: Int) -> String {
    "\(seconds / 60):" + (seconds % 60 < 10 ? "0" : "") + "\(seconds % 60)"
  }

  /// A time in UTC as ISO 8601 writes it, such as `2026-01-31T12:00:00Z`; from seconds since 1970.
  static func text(_ seconds: Int) -> String {
    var time = time_t(seconds)
    var parts = unsafe tm()
    unsafe gmtime_r(&time, &parts)
    let numbers = unsafe [
      parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
    ]
    let two = numbers.map { ($0 < 10 ? "0" : "") + String($0) }
    let year = unsafe parts.tm_year + 1900
    return "\(year)-\(two[0])-\(two[1])T\(two[2]):\(two[3]):\(two[4])Z"
  }
}
