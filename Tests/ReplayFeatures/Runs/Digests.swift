package import ActionCoding
import ComposableArchitecture
import Foundation
import IssueReporting
import Retrace

/// Digests of the states of a generated run: the same log has the same in every process.
package struct RunDigests: Hashable, Sendable {
  /// How many states there are.
  package var states: Int
  /// What stands for all of them.
  package var digest: RecordDigest

  init(of states: [Node.State]) throws {
    let coder = ValueCoder<Node.State>()
    var words: [UInt8] = []
    for state in states {
      let digest = RecordDigest(of: try coder.bytes(of: state))
      withUnsafeBytes(of: digest.value.littleEndian) { words.append(contentsOf: $0) }
    }
    self.states = states.count
    self.digest = RecordDigest(of: words)
  }

  /// Those of a log, by replaying it.
  ///
  /// - Throws: What the replay throws, and the `Divergence` that it finds.
  package init(ofLogAt path: String) throws {
    let states = try withIssueReporters([]) {
      let timeline = try Timeline(of: path, stream: "node") {
        LiveRun.feature(Capture(), Looking.never)
      }
      var states = [timeline.state]
      while try timeline.stepForward() { states.append(timeline.state) }
      if let divergence = timeline.divergence { throw divergence }
      return states
    }
    try self.init(of: states)
  }

  /// How many states, and the digest, in one line.
  package var text: String { "\(self.states) \(self.digest)" }
}

extension GeneratedRun {
  /// Records the run.
  ///
  /// - Parameter path: Where the log is made.
  /// - Returns: The digests of the states that the live store had.
  /// - Throws: A `LogError` when the log can't be written.
  @MainActor
  package func record(at path: String) async throws -> RunDigests {
    try await withIssueReporters([]) {
      try RunDigests(of: await self.live(at: path, looking: .never).states)
    }
  }
}
