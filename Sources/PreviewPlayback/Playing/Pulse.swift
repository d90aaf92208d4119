import CPulse

/// The functions of libpulse, looked up once in a process.
@safe struct Pulse: @unchecked Sendable {
  let functions: PulseFunctions

  /// The loaded library, or `outputUnavailable`.
  static let loaded: Result<Pulse, PlaybackError> = {
    var functions = PulseFunctions()
    if let reason = unsafe cpulse_load(&functions) {
      return .failure(
        .outputUnavailable(reason: unsafe String(cString: reason), package: "libpulse0"))
    }
    return .success(Pulse(functions: functions))
  }()

  /// libpulse's own words for an error code.
  ///
  /// Wraps pa_strerror.
  func message(for code: Int32) -> String {
    guard let text = functions.pa_strerror(code) else { return "error \(code)" }
    return unsafe String(cString: text)
  }

  /// Makes a property list, hands it to `body`, and frees it: libpulse copies what it keeps.
  func withProperties<Value>(
    _ properties: [(key: String, value: String)], _ body: (OpaquePointer) -> Value
  ) -> Value {
    guard let list = functions.pa_proplist_new() else { fatalError("no memory") }
    defer { unsafe functions.pa_proplist_free(list) }
    for property in properties {
      // It refuses only a value that is no UTF-8, which no String is.
      _ = unsafe functions.pa_proplist_sets(list, property.key, property.value)
    }
    return unsafe body(list)
  }
}
