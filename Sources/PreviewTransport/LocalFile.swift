import Glibc

/// Answers a request for a local file as a server would: with ranges and a strong entity tag, so that
/// a clip of a local catalog is fetched, resumed and checked like any other.
enum LocalFile {
  private static let chunkSize = 256 << 10

  /// Sends the file to `receiver`; blocks while it reads.
  ///
  /// `isCanceled` is asked before each chunk.
  static func send(
    _ request: HTTPRequest, url: RequestURL, to receiver: any BodyReceiver,
    isCanceled: () -> Bool
  ) throws(HTTPError) -> HTTPResponse {
    let path = percentDecoded(url.text.dropFirst("file://".count))
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .unreadableFile(path: path, errno: errno) }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      throw .unreadableFile(path: path, errno: errno)
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw .unreadableFile(path: path, errno: status.st_mode & S_IFMT == S_IFDIR ? EISDIR : EINVAL)
    }

    let (response, offset) = head(of: request, status: status)
    guard receiver.receive(head: response) else { throw .stopped }
    if response.status < 300 {
      try sendBody(from: descriptor, path: path, offset: offset, receiver, isCanceled)
    }
    return response
  }

  private static func head(
    of request: HTTPRequest, status: stat
  ) -> (response: HTTPResponse, offset: Int) {
    let size = Int(status.st_size)
    let tag =
      "\"\(status.st_ino)-\(size)-\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)\""
    var response = HTTPResponse(status: 200, headers: [HTTPHeader("ETag", tag)], url: request.url)
    let condition = request["If-Range"]
    guard let range = request["Range"], condition == nil || condition == tag,
      range.hasPrefix("bytes="), range.hasSuffix("-"),
      let offset = Int(range.dropFirst("bytes=".count).dropLast())
    else {
      response.headers.append(HTTPHeader("Content-Length", String(size)))
      return (response, 0)
    }
    guard offset < size else {
      response.status = 416
      response.headers.append(HTTPHeader("Content-Range", "bytes */\(size)"))
      return (response, 0)
    }
    response.status = 206
    response.headers.append(HTTPHeader("Content-Range", "bytes \(offset)-\(size - 1)/\(size)"))
    response.headers.append(HTTPHeader("Content-Length", String(size - offset)))
    return (response, offset)
  }

  private static func sendBody(
    from descriptor: Int32, path: String, offset: Int, _ receiver: any BodyReceiver,
    _ isCanceled: () -> Bool
  ) throws(HTTPError) {
    var chunk = [UInt8](repeating: 0, count: chunkSize)
    var offset = offset
    while true {
      guard !isCanceled() else { throw .canceled }
      let count = unsafe pread(descriptor, &chunk, chunkSize, off_t(offset))
      if count == 0 { return }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw .unreadableFile(path: path, errno: errno) }
      guard receiver.receive(bytes: chunk.span.extracting(first: count)) else { throw .stopped }
      offset += count
    }
  }

  private static func percentDecoded(_ text: Substring) -> String {
    var result: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"),
        let decoded = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        result.append(decoded)
        rest = rest.dropFirst(2)
      } else {
        result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
