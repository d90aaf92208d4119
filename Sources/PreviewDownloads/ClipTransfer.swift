import PreviewTransport

/// Brings the bytes of one clip into its part file, over as many requests as it takes.
struct ClipTransfer: Sendable {
  let world: DownloadWorld
  let part: PartFile
  /// What the library knows; the validator and total are always those of the part's bytes.
  private(set) var row: StoredClip
  /// Whether the last body's end was shown by the transfer, and not only by the connection's end.
  private(set) var hasProvenEnd = true
  private let report: @Sendable (DownloadMachine.Event) -> Void
  /// Tries in a row that brought no byte further than ever before.
  private var failuresInARow = 0
  private var mostReceived: Int
  private var restarts = 0
  /// Whether bytes of more than one answer of this run are together in the part.
  private var hasAppended = false
  private var hasLookedUp = false

  init(
    world: DownloadWorld, part: PartFile, row: StoredClip,
    report: @escaping @Sendable (DownloadMachine.Event) -> Void
  ) {
    self.world = world
    self.part = part
    self.row = row
    self.report = report
    mostReceived = part.length
  }

  /// Whether all may be fetched once more, where bytes of several answers made no clip together; to be
  /// asked while they are here.
  mutating func takeSecondChance() -> Bool {
    defer { restarts += 1 }
    return restarts == 0 && (hasAppended || part.keptLength > 0)
  }

  /// Returns once every byte is here.
  mutating func run() async throws(Fetch.Ending) {
    while true {
      let point = ResumePoint(received: part.length, total: row.total, validator: row.validator)
      if point.offset == 0 && part.length > 0 {
        part.empty()
        report(.restarted(Progress()))
      }
      if point.isComplete { return }
      if try await request(from: point) { return }
    }
  }

  /// Sends one request; true where every byte is here.
  private mutating func request(from point: ResumePoint) async throws(Fetch.Ending) -> Bool {
    let receiver = receiver(for: point)
    let result = await send(point, to: receiver)
    if let failure = part.failure { throw .failed(failure) }
    if let accepted = receiver.accepted {
      row.total = accepted.total
      row.validator = accepted.validator
      row.bootID = world.bootID
      hasProvenEnd = accepted.hasProvenEnd
      if case .append = receiver.judgement { hasAppended = true } else { hasAppended = false }
      report(.progressed(Progress(received: part.length, expected: accepted.total)))
    }
    // A server that gives a byte a time is not to be asked for ever.
    let isFurther = part.length >= mostReceived + 1024
    if isFurther {
      mostReceived = part.length
      failuresInARow = 0
    }
    if Task.isCancelled { throw .stopped }

    switch receiver.judgement {
    case .complete:
      row.total = part.length
      return true
    case .refuse(let failure):
      guard await hasNewAddress(after: failure) else { throw .failed(failure) }
    case .later(let failure, let seconds): try await retry(after: failure, wait: seconds)
    case .restart: try restart()
    case .append, .replace, nil:
      switch result {
      case .success where receiver.accepted == nil: try askOnceMore()
      case .success: return try await isComplete(isFurther: isFurther)
      case .failure(let error): try await retry(after: error)
      }
    }
    return false
  }

  private func receiver(for point: ResumePoint) -> ClipReceiver {
    let (part, library, row, bootID) = (part, world.library, row, world.bootID)
    return ClipReceiver(
      point: point, part: part, maximumSize: world.configuration.maximumSize,
      record: { accepted in
        var row = row
        row.total = accepted.total
        row.validator = accepted.validator
        row.bootID = bootID
        library.save(row) { failure in
          if let failure { part.fail(with: failure) } else { part.openForWriting() }
        }
      }, report: report)
  }

  private func send(
    _ point: ResumePoint, to receiver: ClipReceiver
  ) async -> Result<HTTPResponse, HTTPError> {
    let isLocal = row.source.url.hasPrefix("file:")
    let request = HTTPRequest(
      url: row.source.url, headers: point.headers,
      policy: HTTPRequest.Policy(allowsLocalFile: isLocal),
      maximumBody: .max)  // The receiver knows which bodies count.
    let progress = reportProgress(of: receiver)
    defer { progress.cancel() }
    do throws(HTTPError) {
      let response = try await world.client.send(request, to: receiver)
      await world.library.settle()
      return .success(response)
    } catch {
      await world.library.settle()
      return .failure(error)
    }
  }

  /// Tells ten times a second, which is as often as anyone looks, how far the part is.
  private func reportProgress(of receiver: ClipReceiver) -> Task<Void, Never> {
    Task { [part, report] in
      while (try? await Task.sleep(for: .milliseconds(100))) != nil {
        guard let accepted = receiver.accepted else { continue }
        report(.progressed(Progress(received: part.length, expected: accepted.total)))
      }
    }
  }

  /// A body has ended in order: it may still be a part of the whole only (RFC 9110, section 15.3.7).
  private mutating func isComplete(isFurther: Bool) async throws(Fetch.Ending) -> Bool {
    guard let total = row.total, part.length != total else { return true }
    if part.length > total {
      try restart()
    } else if !isFurther {
      let failure = DownloadFailure(
        .truncated, "The server ends before the clip does. Try again later: preview retry.")
      try await retry(after: failure, wait: nil)
    }
    return false
  }

  /// Whether there is another address of a clip whose own has died, which is asked for once; the bytes
  /// that are here count only if their validator holds there.
  private mutating func hasNewAddress(after failure: DownloadFailure) async -> Bool {
    guard [.gone, .forbidden].contains(failure.reason), !hasLookedUp else { return false }
    hasLookedUp = true
    guard let found = await world.configuration.lookUpAgain(row.source), found.url != row.source.url
    else {
      return false
    }
    row.source = found
    return true
  }

  /// An empty body may be a server's slip, once.
  private mutating func askOnceMore() throws(Fetch.Ending) {
    guard restarts == 0 else { throw .failed(.notAudio(found: "an empty file")) }
    restarts += 1
  }

  private mutating func restart() throws(Fetch.Ending) {
    guard restarts == 0 else {
      throw .failed(
        DownloadFailure(
          .server, "The server's answers do not fit together. Try again later: preview retry."))
    }
    restarts += 1
    part.empty()
    report(.restarted(Progress()))
  }

  private mutating func retry(after error: HTTPError) async throws(Fetch.Ending) {
    if error == .canceled { throw .stopped }
    let (failure, isWorthARetry) = DownloadFailure.of(error)
    guard isWorthARetry else { throw .failed(failure) }
    try await retry(after: failure, wait: nil)
  }

  /// Waits before the next try: as long as the server wants, else for a random time that may be twice
  /// as long after each try without a byte, so that many clients do not come back at once.
  private mutating func retry(
    after failure: DownloadFailure, wait: Int?
  ) async throws(Fetch.Ending) {
    failuresInARow += 1
    guard failuresInARow <= world.configuration.retries, wait ?? 0 <= 120 else {
      throw .failed(failure)
    }
    let longest = min(30, 0.5 * Double(1 << min(failuresInARow, 10)))
    let seconds = max(Double(wait ?? 0), world.configuration.random(longest))
    try await world.pause(.seconds(seconds))
  }
}
