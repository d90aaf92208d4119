import CCurl
import Glibc
import Synchronization

/// What the transfer thread knows: which transfers run, and which wait for their host.
struct TransferLoop {
  private let multi: MultiHandle
  private let configuration: HTTPClient.Configuration
  /// By the handle's id.
  private var running: [Int: EasyHandle] = [:]
  private var idle: [EasyHandle] = []
  /// By host.
  ///
  /// Transfers wait here, not in libcurl, which would count the wait against their timeouts.
  private var hosts: [String: (running: Int, waiting: [Transfer])] = [:]

  init(multi: MultiHandle, configuration: HTTPClient.Configuration) {
    self.multi = multi
    self.configuration = configuration
  }

  /// Runs a transfer now, or once its host has room.
  mutating func admit(_ transfer: Transfer) {
    guard !transfer.isCanceled.load(ordering: .relaxed) else {
      return transfer.finish(.failure(.canceled))
    }
    let host = transfer.url.host
    guard hosts[host, default: (0, [])].running < configuration.connectionsPerHost else {
      hosts[host]?.waiting.append(transfer)
      return
    }
    guard let easy = idle.popLast() ?? EasyHandle() else {
      return transfer.finish(.failure(.exhausted("no memory for another transfer")))
    }
    hosts[host, default: (0, [])].running += 1
    easy.prepare(transfer, configuration: configuration)
    transfer.begin()
    running[easy.id] = easy
    multi.add(easy)
  }

  mutating func cancel(_ transfer: Transfer) {
    if let easy = running.values.first(where: { $0.transfer === transfer }) {
      end(easy, .failure(.canceled))
    } else {
      hosts[transfer.url.host]?.waiting.removeAll { $0 === transfer }
      transfer.finish(.failure(.canceled))
    }
  }

  mutating func cancelAll() {
    // Those that wait first: the end of one that runs would let them begin.
    for transfer in hosts.values.flatMap(\.waiting) { cancel(transfer) }
    for easy in Array(running.values) { easy.transfer.map { cancel($0) } }
  }

  /// Moves bytes, tells of ends, then waits for more to do.
  mutating func turn() {
    multi.perform()
    while let ended = multi.nextEnded() {
      if let easy = running[ended.easy] { end(easy, outcome(of: easy, ended.result)) }
    }
    endStalled()
    // Bounded, so that no lost wake-up and no stalled transfer waits for long.
    multi.poll(milliseconds: 500)
  }

  private mutating func endStalled() {
    let limit = Duration.seconds(configuration.stallTimeout)
    for easy in Array(running.values) {
      if let transfer = easy.transfer, transfer.isStalled(for: limit) {
        end(easy, .failure(.stalled(seconds: configuration.stallTimeout)))
      }
    }
  }

  private mutating func end(_ easy: EasyHandle, _ result: Result<Transfer.Outcome, HTTPError>) {
    guard let transfer = easy.transfer else { return }
    multi.remove(easy)
    running[easy.id] = nil
    easy.release()
    // One that failed may not have let go of everything: libcurl 7.88 then refuses its options.
    if case .success = result, idle.count < configuration.connectionsPerHost { idle.append(easy) }
    transfer.finish(result)

    let host = transfer.url.host
    hosts[host]?.running -= 1
    while let state = hosts[host], state.running < configuration.connectionsPerHost,
      let next = state.waiting.first
    {
      hosts[host]?.waiting.removeFirst()
      admit(next)
    }
    if let state = hosts[host], state.running == 0, state.waiting.isEmpty { hosts[host] = nil }
  }

  private func outcome(
    of easy: EasyHandle, _ code: CURLcode
  ) -> Result<Transfer.Outcome, HTTPError> {
    guard let transfer = easy.transfer else { return .failure(.canceled) }
    guard code == CURLE_OK else {
      return .failure(
        transfer.failure
          ?? HTTPError(
            code, detail: easy.errorMessage(code), systemError: easy.systemError,
            host: transfer.url.host, connectTimeout: configuration.connectTimeout))
    }
    return .success(
      Transfer.Outcome(
        response: transfer.response, redirect: transfer.isRedirect ? easy.redirectURL : nil))
  }
}

extension HTTPError {
  /// The error a result code of libcurl means (libcurl-errors(3)).
  fileprivate init(
    _ code: CURLcode, detail: String, systemError: Int, host: String, connectTimeout: Double
  ) {
    if systemError == Int(EMFILE) || systemError == Int(ENFILE) {
      self = .exhausted(detail)
      return
    }
    switch code {
    case CURLE_URL_MALFORMAT: self = .invalidURL(detail)
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: self = .unresolvedHost(host)
    case CURLE_COULDNT_CONNECT: self = .cannotConnect(detail)
    case CURLE_OPERATION_TIMEDOUT: self = .timedOut(seconds: connectTimeout)
    case CURLE_OUT_OF_MEMORY: self = .exhausted(detail)
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING:
      self = .malformedAnswer(detail)
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
      CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR,
      CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS, CURLE_USE_SSL_FAILED:
      self = .untrusted(detail)
    default: self = .connectionLost(detail)
    }
  }
}
