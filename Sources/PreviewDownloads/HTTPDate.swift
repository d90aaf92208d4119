/// The date format of HTTP header fields (RFC 9110, section 5.6.7).
enum HTTPDate {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Seconds since 1970 of a date such as `Sun, 06 Nov 1994 08:49:37 GMT`; nil for anything else, the
  /// two obsolete formats included.
  static func seconds(_ text: String) -> Int? {
    let words = text.split(separator: " ")
    guard words.count == 6, words[5] == "GMT",
      let day = Int(digits: words[1]), (1...31).contains(day),
      let month = months.firstIndex(where: { $0 == words[2] }),
      let year = Int(digits: words[3]), (1583...9999).contains(year)
    else { return nil }
    let time = words[4].split(separator: ":").compactMap { Int(digits: $0) }
    guard time.count == 3, time[0] < 24, time[1] < 60, time[2] <= 60 else { return nil }
    return days(year: year, month: month + 1, day: day) * 86_400
      + time[0] * 3600 + time[1] * 60 + time[2]
  }

  /// Days since 1970-01-01 in the Gregorian calendar, counted in years that begin in March.
  private static func days(year: Int, month: Int, day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return 365 * year + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
  }
}
