package import PreviewTransport

/// Why a catalog could not name one track with a preview.
public enum CatalogError: Error, Equatable, Sendable {
  /// Nothing was typed.
  case empty
  /// What was typed starts like a reference and does not go on like one.
  case malformed(String, expected: String)
  /// The link or id names something else than one track, such as an album.
  case notOneTrack(kind: String)
  /// A link that only its service can lengthen.
  case shortLink(String)
  /// This catalog cannot look that up; the text says what can.
  case unsupported(String)
  /// The catalog knows no such track; the hint says what else to try.
  case noMatch(asked: String, hint: String)
  /// Several tracks fit equally well, or all only in part; in the order in which `search` has them.
  case ambiguous(asked: String, candidates: [Track])
  /// The track is known and has no preview.
  case noPreview(Track)
  /// The catalog wants fewer requests; seconds to wait, where it says so.
  case throttled(retryAfter: Double?)
  /// The catalog understood the request and refuses it, with these words.
  case refused(String)
  /// The catalog is out of reach.
  case offline(String)
  /// No answer in so many seconds.
  case timeout(seconds: Double)
  /// The connection to the catalog cannot be trusted.
  case untrusted(String)
  /// The catalog, or what stands in its place, answers with something that is no catalog answer.
  case server(String)
  /// The catalog sends the request where it may not go.
  case redirect(String)
  /// The catalog's address is one that requests may not go to.
  case refusedAddress(String)
  /// The catalog file cannot be used.
  case unreadable(path: String, reason: String)
  /// The process lacks what it needs for a request: a library, memory, descriptors.
  case unavailable(String)
  /// The task was cancelled.
  case canceled

  /// The word under which a track's failure is recorded; nil where no track failed, but the asking.
  public var reason: String? {
    switch self {
    case .noMatch: "no-match"
    case .ambiguous: "ambiguous"
    case .noPreview: "no-preview"
    case .throttled: "throttled"
    case .offline: "offline"
    case .timeout: "timeout"
    case .untrusted: "tls"
    case .server, .refused: "server"
    case .redirect: "redirect"
    case .refusedAddress: "refused-address"
    case .empty, .malformed, .notOneTrack, .shortLink, .unsupported, .unreadable, .unavailable,
      .canceled:
      nil
    }
  }

  /// One sentence or two that say what happened and what to do; parts of it may come from outside.
  public var message: String {
    switch self {
    case .empty:
      "No track was named; give words, an id such as itunes:1440833098, or a link."
    case .malformed(let text, let expected):
      "'\(text)' cannot be read; expected \(expected)."
    case .notOneTrack(let kind):
      "This names \(kind), not one track; paste the link of a track, or name it as"
        + " 'artist - title'."
    case .shortLink(let link):
      "'\(link)' is a short link; open it in a browser and paste the long address it leads to."
    case .unsupported(let sentence):
      sentence
    case .noMatch(let asked, let hint):
      "Nothing in the catalog matches '\(asked)'; \(hint)."
    case .ambiguous(let asked, let candidates) where candidates.count == 1:
      "Only something like '\(asked)' was found; take it with --pick 1 or by its id."
    case .ambiguous(let asked, let candidates):
      "\(candidates.count) tracks fit '\(asked)' equally well; choose one with --pick or by its id."
    case .noPreview(let track):
      "The catalog has no preview of '\(track.artist) - \(track.title)'; try another version or"
        + " country."
    case .throttled(let seconds?):
      "The catalog asks for fewer requests; try again in \(Int(seconds.rounded(.up))) seconds."
    case .throttled(nil):
      "The catalog asks for fewer requests; try again in a minute."
    case .refused(let words):
      "The catalog refused the request: \(words); check the id and --country."
    case .offline(let detail):
      "The catalog is out of reach (\(detail)); check the network and try again."
    case .timeout(let seconds):
      "The catalog did not answer in \(Int(seconds.rounded(.up))) seconds; try again later."
    case .untrusted(let detail):
      "The connection to the catalog cannot be trusted (\(detail)); check the clock, the"
        + " certificates and any proxy."
    case .server(let detail):
      "The catalog's answer cannot be used (\(detail)); try again later."
    case .redirect(let detail):
      "The catalog sends the request where it may not go (\(detail)); check the catalog's address."
    case .refusedAddress(let detail):
      "The catalog's address is refused (\(detail)); check the catalog's address."
    case .unreadable(let path, let reason):
      "The catalog file '\(path)' cannot be used: \(reason)."
    case .unavailable(let detail):
      "No request can be made: \(detail)."
    case .canceled:
      "Canceled."
    }
  }
}

extension CatalogError {
  /// What a request's failure means to someone who asked a catalog.
  package init(_ error: HTTPError) {
    self =
      switch error {
      case .unresolvedHost(let detail), .cannotConnect(let detail), .connectionLost(let detail):
        .offline(detail)
      case .stalled(let seconds), .timedOut(let seconds):
        .timeout(seconds: seconds)
      case .untrusted(let detail):
        .untrusted(detail)
      case .canceled:
        .canceled
      case .unsupportedScheme(let detail), .refusedRedirect(let detail):
        .redirect(detail)
      case .tooManyRedirects(let count):
        .redirect("\(count) redirects in a row")
      case .invalidURL(let detail):
        .refusedAddress(detail)
      case .malformedAnswer(let detail):
        .server(detail)
      case .tooLarge(let limit):
        .server("more than \(limit) bytes")
      case .stopped:
        .server("the answer was cut off")
      case .exhausted(let detail), .unavailable(let detail):
        .unavailable(detail)
      case .unreadableFile(let path, let errno):
        .unreadable(path: path, reason: "error \(errno)")
      }
  }
}
