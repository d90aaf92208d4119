import CCurl

/// libcurl, loaded by the first request: a command that asks the network nothing does not wait for it.
enum CurlLibrary {
  /// The table of libcurl's functions, or why there is none.
  static func functions() throws(HTTPError) -> CurlFunctions {
    try loaded.get()
  }

  /// The functions, for code that runs only because loading them went well.
  static var loadedFunctions: CurlFunctions {
    guard case .success(let functions) = loaded else {
      preconditionFailure("libcurl is used before it is loaded")
    }
    return functions
  }

  private static let loaded: Result<CurlFunctions, HTTPError> = {
    var functions = CurlFunctions()
    if let missing = unsafe ccurl_load(&functions) {
      return unsafe .failure(
        .unavailable("\(String(cString: missing)); install it with: apt-get install libcurl4"))
    }
    let status = ccurl_global_init(functions)
    guard status == CURLE_OK else {
      return .failure(.unavailable("curl_global_init: error \(status.rawValue)"))
    }
    return .success(functions)
  }()

  /// HTTP/2 is spoken from 8.4 on: older ones may take an aborted body for a complete one.
  static var speaksHTTP2: Bool {
    ccurl_version_number(loadedFunctions) >= 0x080400
  }
}
