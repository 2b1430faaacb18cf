import ActionLog
import ComposableArchitecture
import Foundation
import Retrace
import TestSupport
import Testing

/// Recordings over several segments, each of which can be replayed by itself.
@MainActor
@Suite
struct SegmentTests {
  @Test func anySegmentCanBeReplayedByItself() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("log.retrace")
    var options = LogOptions()
    options.segmentSize = 32 << 10
    options.blockSize = 4 << 10
    let recording = try Recording(at: path, options: options)
    let left = Store(initialState: Counter.State()) {
      Counter().recorded(by: recording, as: "left")
    }
    let right = Store(initialState: Counter.State()) {
      Counter().recorded(by: recording, as: "right")
    }
    var states = [Counter.State()]
    for index in 1...40_000 {
      left.send(.add(index &* 7_919 % 100_003))
      if index % 2 == 0 { right.send(.choose(.named("\(index)", weight: 1))) }
      states.append(left.state)
      // Long enough for the sealing thread to ask for a cut while actions still come.
      if index % 1_000 == 0 { try recording.flush() }
    }
    try recording.close()

    let segments = try FileManager.default.contentsOfDirectory(atPath: path)
      .filter { $0.hasSuffix(".segment") }.sorted()
    #expect(segments.count > 3)
    for remaining in 0..<segments.count {
      if remaining > 0 {
        try FileManager.default.removeItem(
          atPath: path + "/" + segments[remaining - 1])
      }
      let timeline = try Timeline(of: path, stream: "left") { Counter() }
      #expect(timeline.count == 40_000)
      #expect(remaining == 0 ? timeline.firstPosition == 0 : timeline.firstPosition > 0)
      for number in [timeline.firstPosition, timeline.count, (timeline.firstPosition + 40_000) / 2]
      {
        try timeline.move(to: number)
        #expect(timeline.state == states[number])
      }
      #expect(try timeline.replay { _ in }.divergence == nil)
      let other = try Timeline(of: path, stream: "right") { Counter() }
      try other.move(to: other.count)
      #expect(other.count == 20_000)
      #expect(other.state == right.state)
    }
  }
}
