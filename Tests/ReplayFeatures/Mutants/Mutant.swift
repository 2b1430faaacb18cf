import ComposableArchitecture
import Foundation

/// A change to a feature as a whole, for features that know nothing of changes: it does something else
/// in one action.
package enum MutantKind: String, CaseIterable, Sendable {
  case otherArithmetic
  case droppedBranch
  case otherRead
  case moreRead
  case renamedEffect
  case moreEffect
  case lessEffect
}

/// Does something else than its base in one action, which it counts to.
final class MutantPlace: @unchecked Sendable {
  // Only the reducer touches it, which a timeline runs on one thread.
  private var count = 0
  let number: Int

  init(_ number: Int) {
    self.number = number
  }

  /// Counts an action; returns whether it is the one.
  func isHere() -> Bool {
    self.count += 1
    return self.count == self.number
  }
}

struct Mutant<Base: Reducer>: Reducer {
  let base: Base
  let kind: MutantKind
  let place: MutantPlace
  /// Another arithmetic.
  let change: (inout Base.State) -> Void

  @Dependency(\.uuid) var uuid

  func reduce(into state: inout Base.State, action: Base.Action) -> Effect<Base.Action> {
    guard self.place.isHere() else { return self.base.reduce(into: &state, action: action) }
    if self.kind == .droppedBranch { return .none }
    if self.kind == .otherRead { _ = self.uuid() }
    let effect: Effect<Base.Action> = self.base.reduce(into: &state, action: action)
    switch self.kind {
    case .otherArithmetic: self.change(&state)
    case .moreRead: _ = self.uuid()
    case .moreEffect: return .merge(effect, .run(name: "one more") { _ in })
    case .lessEffect: return .none
    case .renamedEffect: return effect.renamed()
    case .droppedBranch, .otherRead: break
    }
    return effect
  }
}

extension Effect {
  /// The effect with other names.
  fileprivate func renamed() -> Self {
    Self(operation: self.operation.renamed())
  }
}

extension EffectOperation {
  fileprivate func renamed() -> Self {
    switch self {
    case .none, .send, .cancel:
      return self
    case .run(var run):
      run.name = "renamed"
      return .run(run)
    case .merge(let operations):
      return .merge(operations.map { $0.renamed() })
    case .concatenate(let operations):
      return .concatenate(operations.map { $0.renamed() })
    case .cancellable(let id, let cancelInFlight, let operation):
      return .cancellable(id, cancelInFlight: cancelInFlight, operation.renamed())
    }
  }
}
