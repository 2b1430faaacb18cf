import ActionLog
import ComposableArchitecture
import Foundation
import Retrace

/// A run of an account that was recorded before one of its lines was changed.
package struct AccountTrial {
  /// Names of the changes that can be made to a line.
  package static let mutations: [String] = Account.Mutation.allCases.map(\.rawValue)

  let path: String
  let seed: UInt64
  let hasDigests: Bool
  /// What the live store has run.
  private(set) var actions: [Account.Action] = []

  /// Records a run.
  ///
  /// - Parameters:
  ///   - folder: Where the log is made.
  ///   - seed: Actions follow from it.
  ///   - hasDigests: Whether a digest of each state is recorded.
  /// - Throws: A `LogError` when it can't be written.
  @MainActor
  package init(in folder: String, seed: UInt64, hasDigests: Bool) async throws {
    self.path = "\(folder)/account-\(seed)-\(hasDigests).retrace"
    self.seed = seed
    self.hasDigests = hasDigests
    try? FileManager.default.removeItem(atPath: self.path)
    var random = SplitMix(seed: seed)
    var options = LogOptions()
    options.syncPolicy = .none
    var contents = RecordingContents()
    if hasDigests { contents.digestInterval = 1 }
    let recording = try Recording(
      at: self.path, options: options, contents: contents,
      checkpoints: .every(8, atOnce: true))
    let capture = Capture<Account.State, Account.Action, Int>()
    let world = RunWorld(board: GateBoard())
    let state = withDependencies(world.install) { Account.State() }
    let store = Store(initialState: state) {
      Captured(base: Account(), capture: capture, looking: .never) { _ in 0 }
        .recorded(by: recording, as: "account")
    } withDependencies: {
      world.install(&$0)
    }
    for _ in 0..<40 {
      let task = store.send(.random(&random))
      if random.once(in: 2) { await task.finish() }
    }
    for _ in 0..<8 { await Task.yield() }
    try recording.close()
    self.actions = capture.actions
  }

  /// Removes the log.
  package func remove() { try? FileManager.default.removeItem(atPath: self.path) }

  /// Replays with a line that was changed.
  ///
  /// - Parameter name: Which; `nil` for none.
  /// - Returns: What the replay did not find as it should; `nil` where it did.
  /// - Throws: What the replay throws.
  package func check(_ name: String?) throws -> String? {
    let mutation: Account.Mutation? = name.flatMap { Account.Mutation(rawValue: $0) }
    let timeline = try Timeline(of: self.path) { Account(mutation: mutation) }
    let found: Divergence? = try timeline.replay { _ in }.divergence
    let first = mutation.flatMap { mutation in self.actions.firstIndex { mutation.changes($0) } }
    guard let mutation, let first else {
      return found.map { "Nothing differs, and the replay says: \($0)" }
    }
    let place = "\(mutation) of action \(first + 1), \(self.actions[first])"
    guard let found else {
      // Without digests a difference shows in the next state of the log, if there is one.
      let isSure = self.hasDigests || !mutation.isOfState
      let last = isSure ? .max : try timeline.checkpointNumbers().last
      return last ?? 0 > first ? "The replay does not find \(place)." : nil
    }
    guard let difference = mutation.difference(from: found) else {
      return self.compare(found, first + 1, isState: mutation.isOfState)
        .map { "Looking for \(place): \($0) \(found)" }
    }
    return "Looking for \(place), \(difference). It says: \(found)"
  }

  private func compare(_ found: Divergence, _ number: Int, isState: Bool) -> String? {
    if isState, !self.hasDigests {
      // Between two recorded states.
      guard found.lastAgreement < number, found.action >= number else {
        return "it is not between \(found.lastAgreement) and \(found.action)."
      }
      return found.action - found.lastAgreement > 8 ? "the bracket is too wide." : nil
    }
    guard found.action == number else { return "it is said to be in action \(found.action)." }
    return found.lastAgreement == number - 1 ? nil : "agreement ended at \(found.lastAgreement)."
  }
}

extension Account.Mutation {
  /// Whether only the states differ.
  var isOfState: Bool { self == .otherArithmetic || self == .droppedBranch }

  /// In what a divergence is not the one that the change makes; `nil` where it is.
  func difference(from found: Divergence) -> String? {
    let (kind, path, expected, actual): (Divergence.Kind, String, String?, String?) =
      switch self {
      case .otherArithmetic: (.state, "balance", nil, nil)
      case .droppedBranch: (.state, "bonus.points", nil, nil)
      case .otherRead: (.read, "FactClient.limit", "a read of 'uuid'", nil)
      case .moreRead: (.read, "FactClient.limit", nil, "a read of 'FactClient.limit'")
      case .lessRead: (.read, "date", "a read of 'date'", "no such read")
      case .otherArguments: (.read, "FactClient.fact", nil, nil)
      case .renamedEffect: (.effect, "load", "the effect 'fetch'", "the effect 'load'")
      case .moreEffect: (.effect, "refresh 3", "no such effect", "the effect 'refresh 3'")
      case .lessEffect: (.effect, "refresh 2", "the effect 'refresh 2'", "no such effect")
      case .otherSend: (.effect, "", nil, "'answer(101)'")
      case .otherSharedOrder:
        (
          .shared, #".inMemory("account-fees")"#, #"a change of '.inMemory("account-total")'"#,
          #"a change of '.inMemory("account-fees")'"#
        )
      case .lessShared:
        (
          .shared, #".inMemory("account-fees")"#, #"a change of '.inMemory("account-fees")'"#,
          "no further use of shared values"
        )
      }
    guard found.kind == kind else { return "the kind is '\(found.kind)'" }
    guard found.path == path else { return "the path is '\(found.path)'" }
    if let expected, found.expected != expected { return "expected is '\(found.expected)'" }
    if let actual, found.actual != actual { return "actual is '\(found.actual)'" }
    return nil
  }
}
