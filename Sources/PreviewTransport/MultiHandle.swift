import CCurl

/// Owns libcurl's multi handle, which runs many transfers on one thread.
///
/// Belongs to the transfer thread, save for `wake()`. Wraps curl_multi_init(3) and its family.
@safe final class MultiHandle: @unchecked Sendable {
  private let pointer: UnsafeMutableRawPointer
  private let curl = CurlLibrary.loadedFunctions

  init(configuration: HTTPClient.Configuration) throws(HTTPError) {
    guard let pointer = curl.curl_multi_init() else {
      throw .exhausted("no memory for another HTTP client")
    }
    unsafe self.pointer = pointer
    _ = unsafe ccurl_multi_set_long(
      curl, pointer, CURLMOPT_MAX_HOST_CONNECTIONS, configuration.connectionsPerHost)
    _ = unsafe ccurl_multi_set_long(curl, pointer, CURLMOPT_MAXCONNECTS, 32)
  }

  deinit {
    _ = unsafe curl.curl_multi_cleanup(pointer)
  }

  /// Wraps curl_multi_add_handle(3).
  func add(_ easy: EasyHandle) {
    let status = unsafe curl.curl_multi_add_handle(pointer, easy.pointer)
    precondition(status == CURLM_OK, "curl_multi_add_handle: \(status.rawValue)")
  }

  /// Wraps curl_multi_remove_handle(3).
  func remove(_ easy: EasyHandle) {
    _ = unsafe curl.curl_multi_remove_handle(pointer, easy.pointer)
  }

  /// Moves what can be moved without waiting.
  ///
  /// Wraps curl_multi_perform(3).
  func perform() {
    var running: Int32 = 0
    _ = unsafe curl.curl_multi_perform(pointer, &running)
  }

  /// Waits until there is something to move.
  ///
  /// Wraps curl_multi_poll(3).
  func poll(milliseconds: Int32) {
    _ = unsafe curl.curl_multi_poll(pointer, nil, 0, milliseconds, nil)
  }

  /// Ends a `poll` from another thread.
  ///
  /// Wraps curl_multi_wakeup(3).
  func wake() {
    _ = unsafe curl.curl_multi_wakeup(pointer)
  }

  /// The next transfer that has ended: its handle's id and its result.
  ///
  /// Wraps curl_multi_info_read(3).
  func nextEnded() -> (easy: Int, result: CURLcode)? {
    var left: Int32 = 0
    while let message = unsafe curl.curl_multi_info_read(pointer, &left) {
      if unsafe message.pointee.msg == CURLMSG_DONE, let easy = unsafe message.pointee.easy_handle {
        return unsafe (Int(bitPattern: easy), ccurl_message_result(message))
      }
    }
    return nil
  }
}
