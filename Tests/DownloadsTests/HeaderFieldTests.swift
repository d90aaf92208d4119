@testable import PreviewDownloads
import Testing

@Suite(.timeLimit(.minutes(1)))
struct HeaderFieldTests {
  static let day = "Sun, 06 Nov 1994 08:49:37 GMT"
  static let secondLater = "Sun, 06 Nov 1994 08:49:38 GMT"

  struct ValidatorRow: CustomTestStringConvertible {
    var testDescription: String
    var headers: [String: String]
    var expected: EntityValidator?
  }

  static let validators: [ValidatorRow] = [
    ValidatorRow(
      testDescription: "strong tag", headers: ["ETag": "\"a\""], expected: .entityTag("\"a\"")),
    ValidatorRow(
      testDescription: "strong tag before a date",
      headers: ["ETag": "\"a\"", "Last-Modified": day, "Date": secondLater],
      expected: .entityTag("\"a\"")),
    ValidatorRow(testDescription: "weak tag (11)", headers: ["ETag": "W/\"a\""]),
    ValidatorRow(
      testDescription: "weak tag beside a strong date (11)",
      headers: ["ETag": "W/\"a\"", "Last-Modified": day, "Date": secondLater]),
    ValidatorRow(testDescription: "tag without quotes", headers: ["ETag": "a"]),
    ValidatorRow(testDescription: "empty tag", headers: ["ETag": "\"\""]),
    ValidatorRow(testDescription: "half a quote", headers: ["ETag": "\""]),
    ValidatorRow(
      testDescription: "date a second old (12)",
      headers: ["Last-Modified": day, "Date": secondLater],
      expected: .lastModified(day)),
    ValidatorRow(
      testDescription: "date of now (12)", headers: ["Last-Modified": day, "Date": day]),
    ValidatorRow(
      testDescription: "date of tomorrow", headers: ["Last-Modified": secondLater, "Date": day]),
    ValidatorRow(testDescription: "date without Date", headers: ["Last-Modified": day]),
    ValidatorRow(
      testDescription: "date that is none", headers: ["Last-Modified": "0", "Date": secondLater]),
    ValidatorRow(testDescription: "nothing (13)", headers: ["Date": day]),
  ]

  @Test(arguments: validators) func `only a strong validator is one`(row: ValidatorRow) {
    let validator = EntityValidator(of: response(200, row.headers))
    #expect(validator == row.expected)
    if let validator { #expect(EntityValidator(fieldValue: validator.fieldValue) == validator) }
  }

  struct RangeRow: CustomTestStringConvertible {
    var text: String
    var expected: [Int]?
    var testDescription: String { text.debugDescription }
  }

  static let ranges: [RangeRow] = [
    RangeRow(text: "bytes 0-0/1", expected: [0, 0, 1]),
    RangeRow(text: "bytes 400-999/1000", expected: [400, 999, 1000]),
    RangeRow(text: "Bytes 400-999/1000", expected: [400, 999, 1000]),
    RangeRow(text: ""), RangeRow(text: "bytes"), RangeRow(text: "bytes 400-999"),
    RangeRow(text: "bytes */1000"), RangeRow(text: "bytes 400-999/*"),
    RangeRow(text: "bytes=400-999/1000"), RangeRow(text: "items 400-999/1000"),
    RangeRow(text: "bytes -999/1000"), RangeRow(text: "bytes 400-/1000"),
    RangeRow(text: "bytes -400-999/1000"), RangeRow(text: "bytes +400-999/1000"),
    RangeRow(text: "bytes 400-999/1000/1000"), RangeRow(text: "bytes 0x10-999/1000"),
    RangeRow(text: "bytes 400-99999999999999999999/1000"), RangeRow(text: "400-999/1000"),
  ]

  @Test(arguments: ranges) func `a Content-Range has three numbers`(row: RangeRow) {
    #expect(ContentRange(row.text).map { [$0.first, $0.last, $0.total] } == row.expected)
  }

  struct DateRow: CustomTestStringConvertible {
    var text: String
    var expected: Int?
    var testDescription: String { text.debugDescription }
  }

  static let dates: [DateRow] = [
    DateRow(text: "Thu, 01 Jan 1970 00:00:00 GMT", expected: 0),
    DateRow(text: day, expected: 784_111_777),
    DateRow(text: "Tue, 29 Feb 2000 23:59:59 GMT", expected: 951_868_799),
    DateRow(text: "Wed, 01 Mar 2000 00:00:00 GMT", expected: 951_868_800),
    DateRow(text: "Sat, 31 Dec 2016 23:59:60 GMT", expected: 1_483_228_800),
    DateRow(text: "Fri, 01 Mar 2024 00:00:00 GMT", expected: 1_709_251_200),
    DateRow(text: ""), DateRow(text: "0"), DateRow(text: "yesterday"),
    DateRow(text: "Sunday, 06-Nov-94 08:49:37 GMT"), DateRow(text: "Sun Nov  6 08:49:37 1994"),
    DateRow(text: "Sun, 06 Nov 1994 08:49:37 CET"), DateRow(text: "Sun, 06 Nov 1994 08:49:37"),
    DateRow(text: "Sun, 32 Nov 1994 08:49:37 GMT"), DateRow(text: "Sun, 06 Nev 1994 08:49:37 GMT"),
    DateRow(text: "Sun, 06 Nov 1994 24:49:37 GMT"), DateRow(text: "Sun, 06 Nov 1994 08:60:37 GMT"),
    DateRow(text: "Sun, 06 Nov 1994 08:49:61 GMT"), DateRow(text: "Sun, 06 Nov 1994 08:49 GMT"),
    DateRow(text: "Sun, 06 Nov 99999999999999999999 08:49:37 GMT"),
  ]

  @Test(arguments: dates) func `a date is seconds since 1970`(row: DateRow) {
    #expect(HTTPDate.seconds(row.text) == row.expected)
  }

  struct WaitRow: CustomTestStringConvertible {
    var testDescription: String
    var headers: [String: String]
    var expected: Int?
  }

  static let waits: [WaitRow] = [
    WaitRow(testDescription: "none", headers: ["Date": day]),
    WaitRow(testDescription: "seconds (74)", headers: ["Retry-After": "120"], expected: 120),
    WaitRow(testDescription: "zero", headers: ["Retry-After": "0"], expected: 0),
    WaitRow(
      testDescription: "a date by the server's clock (75)",
      headers: ["Retry-After": secondLater, "Date": day], expected: 1),
    WaitRow(
      testDescription: "a date that is past (75)",
      headers: ["Retry-After": day, "Date": secondLater]),
    WaitRow(testDescription: "a date without Date (75)", headers: ["Retry-After": day]),
    WaitRow(
      testDescription: "19 digits (76)", headers: ["Retry-After": "9999999999999999999"],
      expected: 86_400),
    WaitRow(
      testDescription: "30 digits (76)",
      headers: ["Retry-After": String(repeating: "9", count: 30)], expected: 86_400),
    WaitRow(
      testDescription: "a date in years (76)",
      headers: ["Retry-After": "Sun, 06 Nov 2094 08:49:37 GMT", "Date": day], expected: 86_400),
    WaitRow(testDescription: "negative", headers: ["Retry-After": "-5"]),
    WaitRow(testDescription: "a fraction", headers: ["Retry-After": "1.5"]),
    WaitRow(testDescription: "empty", headers: ["Retry-After": ""]),
    WaitRow(testDescription: "words", headers: ["Retry-After": "soon"]),
  ]

  @Test(arguments: waits) func `Retry-After is 0 seconds to a day`(row: WaitRow) {
    #expect(RetryAfter.seconds(in: response(429, row.headers)) == row.expected)
  }
}
