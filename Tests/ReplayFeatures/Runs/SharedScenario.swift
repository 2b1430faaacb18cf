import ActionLog
import ComposableArchitecture
import Foundation
import Retrace

/// Runs of a vault in which others change what it shares at certain times.
package enum SharedScenario: String, CaseIterable, Sendable {
  /// Before the first action, and the reducer of that does not look at it.
  case beforeAnAction
  /// Right before an action that brings the reference along, behind a recorded state.
  case beforeAnActionThatHoldsIt
  /// Behind a recorded state, by another store whose action begins a segment.
  case byAStoreThatBeginsASegment

  /// Records the run and replays it.
  ///
  /// - Returns: The divergence that the replay finds, and where its last values are others; `nil` when
  ///   all is as it was.
  @MainActor
  package func check(at path: String) throws -> String? {
    var options = LogOptions()
    options.syncPolicy = .none
    if self == .byAStoreThatBeginsASegment { options.segmentSize = 4 << 10 }
    var contents = RecordingContents()
    contents.digestInterval = 1
    let recording = try Recording(
      at: path, options: options, contents: contents, checkpoints: .every(1, atOnce: true))
    let world = RunWorld(board: GateBoard())
    let (store, other) = withDependencies(world.install) {
      (
        Store(initialState: Vault.State()) { Vault().recorded(by: recording, as: "vault") },
        Store(initialState: Vault.State()) { Vault().recorded(by: recording, as: "other") }
      )
    }
    let vault: Vault.State = store.withState { $0 }
    switch self {
    case .beforeAnAction:
      vault.$total.withLock { $0 = 7 }
      store.send(.addPart)
    case .beforeAnActionThatHoldsIt:
      store.send(.addPart)
      vault.$total.withLock { $0 = 8 }
      store.send(.adopt(vault.$total))
    case .byAStoreThatBeginsASegment:
      for number in 0..<100 {
        store.send(.own(number))
        other.send(.add(number))
        store.send(.look)
      }
    }
    try recording.close()
    let timeline = try Timeline(of: path, stream: "vault") { Vault() }
    if let divergence = try timeline.replay(progress: { _ in }).divergence {
      return "\(divergence)"
    }
    let last: Vault.State = store.withState { $0 }
    let (live, replayed, seen) = (VaultValues(last), VaultValues(timeline.state), last.seen)
    guard live == replayed, seen == timeline.state.seen else {
      return diff(live, replayed) ?? "\(timeline.state.seen) was seen, and not \(seen)."
    }
    for number in stride(from: timeline.count, through: 0, by: -max(1, timeline.count / 16)) {
      let other = try Timeline(of: path, stream: "vault") { Vault() }
      other.leastFold = 0
      try other.move(to: number)
      other.leastFold = .max
      try other.move(to: timeline.count)
      if other.state.seen != seen { return "From \(number) on \(other.state.seen)." }
    }
    return nil
  }

  /// Whether what a timeline shares is gone when the timeline is.
  ///
  /// - Throws: What the replay throws.
  @MainActor
  package func leavesNothing(at path: String) throws -> Bool {
    weak var reference: AnyObject?
    do {
      let timeline = try Timeline(of: path, stream: "vault") { Vault() }
      try timeline.move(to: timeline.count)
      reference = timeline.state.$total.reference
      guard reference != nil else { return false }
    }
    return reference == nil
  }
}
