import PreviewCatalog
import PreviewTransport
import Testing

struct CatalogErrorTests {
  struct Row: CustomTestStringConvertible {
    var error: HTTPError
    var expected: CatalogError
    var reason: String?
    var testDescription: String { "\(error)" }
  }

  @Test(arguments: [
    Row(error: .unresolvedHost("h"), expected: .offline("h"), reason: "offline"),
    Row(error: .cannotConnect("h"), expected: .offline("h"), reason: "offline"),
    Row(error: .connectionLost("h"), expected: .offline("h"), reason: "offline"),
    Row(error: .stalled(seconds: 20), expected: .timeout(seconds: 20), reason: "timeout"),
    Row(error: .timedOut(seconds: 9), expected: .timeout(seconds: 9), reason: "timeout"),
    Row(error: .untrusted("c"), expected: .untrusted("c"), reason: "tls"),
    Row(error: .refusedRedirect("m"), expected: .redirect("m"), reason: "redirect"),
    Row(error: .unsupportedScheme("m"), expected: .redirect("m"), reason: "redirect"),
    Row(
      error: .tooManyRedirects(5), expected: .redirect("5 redirects in a row"), reason: "redirect"),
    Row(error: .invalidURL("a"), expected: .refusedAddress("a"), reason: "refused-address"),
    Row(error: .malformedAnswer("x"), expected: .server("x"), reason: "server"),
    Row(error: .tooLarge(limit: 8), expected: .server("more than 8 bytes"), reason: "server"),
    Row(error: .stopped, expected: .server("the answer was cut off"), reason: "server"),
    Row(error: .canceled, expected: .canceled),
    Row(error: .exhausted("fds"), expected: .unavailable("fds")),
    Row(error: .unavailable("curl"), expected: .unavailable("curl")),
  ])
  func `a request's failure has a word and a sentence`(row: Row) {
    let error = CatalogError(row.error)
    #expect(error == row.expected)
    #expect(error.reason == row.reason)
    #expect(error.message.hasSuffix("."))
  }

  static let track = Track(id: "local:1", title: "t", artist: "a")

  @Test(arguments: [
    (CatalogError.noMatch(asked: "x", hint: "try y"), "no-match", "x"),
    (.ambiguous(asked: "x", candidates: [track, track]), "ambiguous", "--pick"),
    (.ambiguous(asked: "x", candidates: [track]), "ambiguous", "--pick 1"),
    (.noPreview(track), "no-preview", "a - t"),
    (.throttled(retryAfter: 2.5), "throttled", "3 seconds"),
    (.throttled(retryAfter: nil), "throttled", "minute"),
    (.refused("bad country"), "server", "bad country"),
  ])
  func `an answer's failure has a word and a sentence`(
    error: CatalogError, reason: String, part: String
  ) {
    #expect(error.reason == reason)
    #expect(error.message.contains(part))
  }
}
