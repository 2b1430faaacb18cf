import ActionCoding
import ActionLog
import ComposableArchitecture
import Foundation
import TestSupport
import Testing

@testable import Retrace

/// States in a log that can't be read, though nothing of the log is damaged.
@MainActor
@Suite struct BadCheckpointTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    self.folder = try TemporaryFolder()
    self.path = self.folder.path("log.retrace")
  }

  /// Records with a bad state after the action 2,500 of 5,000, which is nearest to those behind it.
  private func record(_ bad: [UInt8]) throws {
    let recording = try Recording(
      at: self.path, options: LogOptions(), checkpoints: .every(2_000, atOnce: true))
    let store = Store(initialState: Counter.State()) { Counter().recorded(by: recording) }
    for number in 1...5_000 {
      store.send(.increment)
      guard number == 2_500 else { continue }
      let payload = encodePayload { (writer) throws(RecordOverflow) in
        try StateHeader(number: number).put(to: &writer)
        try SharedValues().put(to: &writer)
      }
      try recording.writer.append(.state, stream: 1, body: copying(payload + bad))
    }
    try recording.close()
  }

  @Test(
    arguments: [
      [], [0xff], [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
      [1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1],
    ] as [[UInt8]])
  func aStateThatCannotBeReadIsPassedOver(bad: [UInt8]) throws {
    try self.record(bad)
    let timeline = try Timeline(of: self.path) { Counter() }
    for number in [4_000, 2_500, 2_501, 3_900, 5_000, 1] {
      try timeline.move(to: number)
      #expect(timeline.state.count == number)
    }
    let report = try timeline.replay { _ in }
    #expect(report.divergence == nil)
    #expect(report.actionCount == 5_000)
    #expect(report.statesCompared == 3)
    #expect(
      report.unreadableStates == [2_500], "Whoever replays is told that one was passed over.")
  }
}
