@testable import PreviewDownloads
import Testing

@Suite(.timeLimit(.minutes(1)))
struct DownloadMachineTests {
  typealias Outcome = (DownloadState, DownloadMachine.Action)

  static let here = Progress(received: 400, expected: 1000)
  static let more = Progress(received: 600, expected: 1000)
  static let anew = Progress(received: 0, expected: 900)
  static let clip = FinishedClip(path: "/m/a.m4a", byteCount: 1000, sha256: nil)
  static let other = FinishedClip(path: "/m/b.m4a", byteCount: 900, sha256: nil)
  static let gone = DownloadFailure(.gone, "Gone.")
  static let late = DownloadFailure(.timeout, "Late.")

  static let events: [DownloadMachine.Event] = [
    .download, .pause, .resume, .cancel, .retry, .redownload, .remove, .progressed(more),
    .restarted(anew), .completed(other), .failed(late),
  ]

  /// What each event leads to, in the order of `events`; nil where it changes nothing.
  static let table: [(state: DownloadState, outcomes: [Outcome?])] = [
    (
      .waiting,
      [
        (.downloading(Progress()), .start), nil, nil, nil, nil, nil, nil, nil, nil,
        (.finished(other), .none), nil,
      ]
    ),
    (
      .downloading(here),
      [
        nil, (.paused(here), .stop), nil, (.waiting, .discard), nil, nil, nil,
        (.downloading(more), .none), (.downloading(anew), .none), (.finished(other), .none),
        (.failed(late, here), .none),
      ]
    ),
    (
      .paused(here),
      [
        (.downloading(here), .start), nil, (.downloading(here), .start), (.waiting, .discard), nil,
        nil, nil, nil, nil, (.finished(other), .none), nil,
      ]
    ),
    (
      .failed(gone, here),
      [
        (.downloading(here), .start), nil, nil, (.waiting, .discard), (.downloading(here), .start),
        nil, nil, nil, nil, nil, nil,
      ]
    ),
    (
      .finished(clip),
      [
        nil, nil, nil, nil, nil, (.downloading(Progress()), .startOver), (.waiting, .delete), nil,
        nil, nil, nil,
      ]
    ),
  ]

  struct Row: CustomTestStringConvertible {
    var state: DownloadState
    var event: DownloadMachine.Event
    var next: DownloadState
    var action: DownloadMachine.Action
    var testDescription: String
  }

  static let rows = table.flatMap { state, outcomes in
    zip(events, outcomes).map { event, outcome in
      let word = "\(event)".prefix { $0 != "(" }
      return Row(
        state: state, event: event, next: outcome?.0 ?? state, action: outcome?.1 ?? .none,
        testDescription: "\(state.name.rawValue), \(word)")
    }
  }

  @Test(arguments: rows) func `every state takes every event`(row: Row) {
    var machine = DownloadMachine(state: row.state)
    #expect(machine.handle(row.event) == row.action)
    #expect(machine.state == row.next)
  }

  @Test func `the table has every state and every event`() {
    #expect(Set(Self.table.map(\.state.name)) == Set(DownloadState.Name.allCases))
    #expect(Self.table.allSatisfy { $0.outcomes.count == Self.events.count })
    #expect(Self.rows.count == 5 * 11)
  }

  @Test func `progress that comes late does not run backward`() {
    var machine = DownloadMachine(state: .downloading(Self.more))
    #expect(machine.handle(.progressed(Self.here)) == .none)
    #expect(machine.state == .downloading(Self.more))
  }

  @Test func `a total that the bytes have passed is dropped`() {
    #expect(Progress(received: 11, expected: 10).expected == nil)
    #expect(Progress(received: 10, expected: 10).expected == 10)
  }
}
