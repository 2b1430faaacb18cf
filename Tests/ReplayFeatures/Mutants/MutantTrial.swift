import ComposableArchitecture
import Foundation
import Retrace

extension Law {
  /// Replays with a reducer that does something else in one action.
  ///
  /// - Parameters:
  ///   - kind: What it does.
  ///   - number: The action.
  ///   - first: The number of the first state in the log.
  /// - Returns: What the replay did not find as it should; `nil` where it did.
  func check(_ kind: MutantKind, in number: Int, after first: Int) throws -> String? {
    let facts = self.live.facts[number - 1]
    let timeline = try Timeline<Node.State, Node.Action>(
      of: self.inspector.stream(named: "node"), in: self.inspector
    ) {
      Captured(
        base: Mutant(base: Node(), kind: kind, place: MutantPlace(number - first)) {
          $0.actions &+= 1
        },
        capture: Capture(), looking: self.live.looking
      ) { $0.vaultValues }
    }
    let found: Divergence? = try timeline.replay { _ in }.divergence
    let needsEffects = kind == .lessEffect || kind == .renamedEffect
    if needsEffects, facts.runs == 0 { return nil }
    let what = "\(kind) of action \(number)"
    let isOfState = kind == .otherArithmetic || kind == .droppedBranch
    guard let found else {
      // Without digests a difference shows in the next state of the log, if there is one.
      let last = self.live.hasDigests || !isOfState ? .max : try timeline.checkpointNumbers().last
      return last ?? 0 >= number ? "The replay does not find \(what)." : nil
    }
    if isOfState, !self.live.hasDigests, found.kind == .state || found.action > number {
      // Before the next state of the log, what the state leads to may differ.
      let isAround = found.kind != .state || found.lastAgreement < number
      guard isAround, found.action >= number else {
        return "Looking for \(what), it is not in the bracket: \(found)"
      }
      return nil
    }
    guard found.action == number else {
      return "Looking for \(what), it is said to be in action \(found.action): \(found)"
    }
    let kinds: [Divergence.Kind] =
      switch kind {
      case .otherArithmetic: [.state]
      case .droppedBranch: [.state, .read, .effect, .shared]
      case .otherRead, .moreRead: [.read]
      case .renamedEffect, .moreEffect, .lessEffect: [.effect]
      }
    guard kinds.contains(found.kind) else {
      return "Looking for \(what), the kind is '\(found.kind)': \(found)"
    }
    // A digest tells no path; the next state of the log does, if there is one.
    if isOfState, found.path.isEmpty, try timeline.checkpointNumbers().last ?? 0 < number {
      return nil
    }
    let path: String? =
      switch kind {
      case .otherArithmetic: "actions"
      case .moreRead: "uuid"
      case .moreEffect: "one more"
      case .renamedEffect: "renamed"
      case .droppedBranch, .otherRead, .lessEffect: nil
      }
    if let path, found.path != path {
      return "Looking for \(what), the path is '\(found.path)': \(found)"
    }
    return nil
  }
}
