import PreviewMedia
import PreviewTransport
import PreviewThreads

/// Takes one answer for a clip: judges its head, and lets its body into the part file or not.
final class ClipReceiver: BodyReceiver {
  /// What a part file's bytes are, once a head was accepted.
  struct Accepted: Equatable, Sendable {
    var total: Int?
    var validator: EntityValidator?
    /// Whether the transfer itself showed the end of the body: by a length or by a last chunk.
    var hasProvenEnd: Bool
  }

  private struct State {
    var judgement: ResumePoint.Judgement?
    var accepted: Accepted?
    /// A new body of which no byte has come.
    var announced: Accepted?
  }

  private let point: ResumePoint
  private let part: PartFile
  private let maximumSize: Int
  /// Records what a new body is; the part takes its bytes once that is done.
  private let record: @Sendable (Accepted) -> Void
  private let report: @Sendable (DownloadMachine.Event) -> Void
  private let state = Lock(State())

  init(
    point: ResumePoint, part: PartFile, maximumSize: Int,
    record: @escaping @Sendable (Accepted) -> Void,
    report: @escaping @Sendable (DownloadMachine.Event) -> Void
  ) {
    self.point = point
    self.part = part
    self.maximumSize = maximumSize
    self.record = record
    self.report = report
  }

  /// What the head was good for; nil where none has come.
  var judgement: ResumePoint.Judgement? { state.withLock { $0.judgement } }
  /// What the part's bytes are since this answer; nil where it has brought none.
  var accepted: Accepted? { state.withLock { $0.accepted } }

  func receive(head: HTTPResponse) -> Bool {
    var judgement = point.judge(head)
    var accepted: Accepted?
    var announced: Accepted?
    switch judgement {
    case .append(let total) where total > maximumSize:
      judgement = .refuse(.tooLarge(limit: maximumSize))
    case .append(let total):
      accepted = Accepted(total: total, validator: point.validator, hasProvenEnd: true)
      part.openForWriting()
    case .replace(let total, _) where total ?? 0 > maximumSize:
      judgement = .refuse(.tooLarge(limit: maximumSize))
    case .replace(let total, let validator):
      let isChunked = head["Transfer-Encoding"]?.lowercased().hasSuffix("chunked") == true
      announced = Accepted(
        total: total, validator: validator, hasProvenEnd: total != nil || isChunked)
    case .complete, .restart, .refuse, .later: break
    }
    return state.withLock { state in
      state.judgement = judgement
      state.accepted = accepted
      state.announced = announced
      return accepted != nil || announced != nil
    }
  }

  func receive(bytes: Span<UInt8>) -> Bool {
    if let announced = state.withLock({ $0.announced }), !begin(announced, bytes) { return false }
    guard part.length + bytes.count <= maximumSize else {
      part.empty()
      return refuse(.tooLarge(limit: maximumSize))
    }
    return part.append(bytes)
  }

  /// Gives a new body the place of the bytes that are here, unless its first bytes show that it is
  /// none: a network that wants a login answers every request with a page of its own.
  private func begin(_ announced: Accepted, _ bytes: Span<UInt8>) -> Bool {
    if let found = Self.plainlyNoAudio(bytes) { return refuse(.notAudio(found: found)) }
    state.withLock { state in
      state.accepted = announced
      state.announced = nil
    }
    part.empty()
    report(.restarted(Progress(received: 0, expected: announced.total)))
    record(announced)
    return true
  }

  private func refuse(_ failure: DownloadFailure) -> Bool {
    state.withLock { $0.judgement = .refuse(failure) }
    return false
  }

  /// Names the body where its first bytes show that it is no audio; the rest need not be fetched.
  private static func plainlyNoAudio(_ bytes: Span<UInt8>) -> String? {
    guard bytes.count >= MediaKind.prefixLength, MediaKind(startOf: bytes) == nil else {
      return nil
    }
    let found = MediaCheck.describe(bytes)
    return ["unknown bytes", "a file of zeros"].contains(found) ? nil : found
  }
}

extension DownloadFailure {
  static func tooLarge(limit: Int) -> DownloadFailure {
    DownloadFailure(
      .tooLarge,
      "The file is larger than \(limit) bytes, which no clip is. "
        + "Allow more with --max-size if you trust it.")
  }
}
