import CCurl

/// Owns one of libcurl's easy handles and the memory it points to while a transfer runs.
///
/// Belongs to the transfer thread. Wraps curl_easy_init(3) and its family.
@safe final class EasyHandle {
  let pointer: UnsafeMutableRawPointer
  /// The same for as long as the handle lives.
  var id: Int { unsafe Int(bitPattern: pointer) }
  private let curl = CurlLibrary.loadedFunctions
  private let errorText: UnsafeMutablePointer<CChar>
  private var headerList: UnsafeMutablePointer<curl_slist>?
  private(set) var transfer: Transfer?

  /// nil where memory has run out.
  init?() {
    guard let pointer = curl.curl_easy_init() else { return nil }
    unsafe self.pointer = pointer
    unsafe errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    unsafe errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
  }

  deinit {
    unsafe curl.curl_easy_cleanup(pointer)
    unsafe curl.curl_slist_free_all(headerList)
    unsafe errorText.deallocate()
  }

  /// Makes the handle ready for a transfer, which it keeps until `release()`.
  func prepare(_ transfer: Transfer, configuration: HTTPClient.Configuration) {
    self.transfer = transfer
    unsafe errorText.pointee = 0
    set(CURLOPT_URL, transfer.url.text)
    set(CURLOPT_PROTOCOLS_STR, "http,https")
    set(CURLOPT_USERAGENT, configuration.userAgent)
    set(CURLOPT_FOLLOWLOCATION, 0)
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_QUICK_EXIT, 1)  // A cancelled transfer does not wait for a name to be resolved.
    set(CURLOPT_BUFFERSIZE, 102_400)
    set(CURLOPT_TCP_KEEPALIVE, 1)
    set(CURLOPT_CONNECTTIMEOUT_MS, Int(configuration.connectTimeout * 1000))
    if !CurlLibrary.speaksHTTP2 { set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1)) }
    if transfer.url.isLoopback { set(CURLOPT_PROXY, "") }
    setHeaders(transfer.request.headers)
    setCallbacks(for: transfer)
  }

  /// Lets go of the transfer and of what was set for it; the connection stays in the multi handle.
  func release() {
    unsafe curl.curl_easy_reset(pointer)
    unsafe curl.curl_slist_free_all(headerList)
    unsafe headerList = nil
    transfer = nil
  }

  /// Where a redirect leads.
  ///
  /// Wraps CURLINFO_REDIRECT_URL.
  var redirectURL: String? {
    var text: UnsafePointer<CChar>?
    unsafe ccurl_get_string(curl, pointer, CURLINFO_REDIRECT_URL, &text)
    return unsafe text.map { unsafe String(cString: $0) }
  }

  /// What libcurl says of the failure `code`.
  ///
  /// Wraps CURLOPT_ERRORBUFFER and curl_easy_strerror(3).
  func errorMessage(_ code: CURLcode) -> String {
    if unsafe errorText.pointee != 0 { return unsafe String(cString: errorText) }
    return unsafe curl.curl_easy_strerror(code).map { unsafe String(cString: $0) } ?? "\(code)"
  }

  /// The error number of the system call that failed, or 0.
  ///
  /// Wraps CURLINFO_OS_ERRNO.
  var systemError: Int {
    var number = 0
    unsafe ccurl_get_long(curl, pointer, CURLINFO_OS_ERRNO, &number)
    return number
  }

  private func setHeaders(_ headers: [HTTPHeader]) {
    // Ranges must count the bytes of the clip, not of a coding of it.
    for header in headers + [HTTPHeader("Accept-Encoding", "identity")] {
      unsafe headerList = curl.curl_slist_append(headerList, "\(header.name): \(header.value)")
    }
    unsafe setPointer(CURLOPT_HTTPHEADER, headerList)
  }

  private func setCallbacks(for transfer: Transfer) {
    let context = unsafe Unmanaged.passUnretained(transfer).toOpaque()
    unsafe setPointer(CURLOPT_ERRORBUFFER, errorText)
    unsafe setPointer(CURLOPT_HEADERDATA, context)
    unsafe setPointer(CURLOPT_WRITEDATA, context)
    unsafe setCallback(CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
      guard let bytes = unsafe bytes, let context = unsafe context else { return 0 }
      let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
      let line = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
      return transfer.receive(headerLine: unsafe String(decoding: line, as: UTF8.self))
        ? size * count : 0
    }
    unsafe setCallback(CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
      guard let bytes = unsafe bytes, let context = unsafe context else { return 0 }
      let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
      return unsafe bytes.withMemoryRebound(to: UInt8.self, capacity: size * count) { bytes in
        let body = unsafe Span(_unsafeStart: bytes, count: size * count)
        return transfer.receive(bytes: body) ? size * count : 0
      }
    }
  }

  private func set(_ option: CURLoption, _ value: Int) {
    check(unsafe ccurl_set_long(curl, pointer, option, value), option)
  }

  private func set(_ option: CURLoption, _ value: String) {
    check(unsafe ccurl_set_string(curl, pointer, option, value), option)
  }

  private func setPointer(_ option: CURLoption, _ value: UnsafeMutableRawPointer?) {
    check(unsafe ccurl_set_pointer(curl, pointer, option, value), option)
  }

  private func setCallback(_ option: CURLoption, _ value: @escaping ccurl_write_callback) {
    check(unsafe ccurl_set_write_callback(curl, pointer, option, value), option)
  }

  /// An option libcurl refuses is a bug of ours, save for memory that has run out.
  private func check(_ status: CURLcode, _ option: CURLoption) {
    precondition(status == CURLE_OK, "curl_easy_setopt \(option.rawValue): \(status.rawValue)")
  }
}
