/// A file as an honest server has it: with a validator, ranges, and conditions on them.
package struct Resource: Sendable {
  package var bytes: [UInt8]
  package var contentType: String? = "audio/mp4"
  package var entityTag: String? = "\"v1\""
  package var lastModified: String?
  package var date: String?
  package var acceptsRanges = true

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Answers as RFC 9110, sections 13.1.5 and 14.2, say.
  package func answer(to request: Request) -> Answer {
    var headers: [String: String] = [:]
    headers["Content-Type"] = contentType
    headers["ETag"] = entityTag
    headers["Last-Modified"] = lastModified
    headers["Date"] = date
    headers["Accept-Ranges"] = acceptsRanges ? "bytes" : nil
    guard acceptsRanges, let start = request.rangeStart, conditionHolds(request) else {
      return Answer(headers, body: bytes)
    }
    guard start < bytes.count else {
      headers["Content-Range"] = "bytes */\(bytes.count)"
      return Answer(status: 416, headers)
    }
    headers["Content-Range"] = "bytes \(start)-\(bytes.count - 1)/\(bytes.count)"
    return Answer(status: 206, headers, body: Array(bytes[start...]))
  }

  private func conditionHolds(_ request: Request) -> Bool {
    guard let condition = request["if-range"] else { return true }
    return condition == entityTag || condition == lastModified
  }
}
