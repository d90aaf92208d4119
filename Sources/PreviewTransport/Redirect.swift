/// Decides where an answer sends the request next.
enum Redirect {
  /// The statuses that name another place to ask (RFC 9110, section 15.4).
  static func isRedirect(status: Int) -> Bool {
    [301, 302, 303, 307, 308].contains(status)
  }

  /// The request that follows a redirect.
  ///
  /// - Parameters:
  ///   - target: the `Location`, made absolute; nil where the answer has none that parses.
  ///   - request: the request that was answered so.
  ///   - count: how many redirects led to `request`.
  /// - Returns: the same request for the new URL.
  /// - Throws: `refusedRedirect` or `tooManyRedirects`.
  static func next(
    to target: String?, from request: HTTPRequest, count: Int
  ) throws(HTTPError) -> HTTPRequest {
    guard count < request.policy.maximumRedirects else {
      throw .tooManyRedirects(request.policy.maximumRedirects)
    }
    guard let target, !target.isEmpty else {
      throw .refusedRedirect("a redirect without a usable Location")
    }
    let from = try RequestURL(request.url)
    let to: RequestURL
    do {
      to = try RequestURL(target)
    } catch {
      throw .refusedRedirect("a redirect to something that is no URL")
    }
    guard ["http", "https"].contains(to.scheme) else {
      throw .refusedRedirect("a redirect to '\(to.scheme):'")
    }
    guard from.scheme != "https" || to.scheme == "https" else {
      throw .refusedRedirect("a redirect from https to http")
    }
    var next = request
    next.url = to.text
    return next
  }
}
