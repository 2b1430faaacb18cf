import ComposableArchitecture

/// Remembers every state that a store had, and what was shared then.
final class Capture<State, Action, Values>: @unchecked Sendable {
  // Only reducers touch it, which run on one thread.
  var states: [State] = []
  var actions: [Action] = []
  var facts: [ActionFacts<Values>] = []
}

/// What is known of an action that ran.
struct ActionFacts<Values> {
  /// How many pieces of work began at once.
  var runs = 0
  /// What was shared before and after it, as the reducer read it.
  var valuesBefore: Values?
  var values: Values?
  /// Whether it was the same when it was read again.
  var isStable = true
}

/// When a reducer reads all that is shared, so that it is recorded, and the same in a replay.
enum Looking: CaseIterable {
  case never
  case afterwards
  case beforeAndAfterwards
}

/// Runs a feature, and remembers the state after each action.
struct Captured<Base: Reducer, Values: Equatable>: Reducer {
  let base: Base
  let capture: Capture<Base.State, Base.Action, Values>
  let looking: Looking
  /// Reads what is shared.
  let look: (Base.State) -> Values

  func reduce(into state: inout Base.State, action: Base.Action) -> Effect<Base.Action> {
    var facts = ActionFacts<Values>()
    if self.looking == .beforeAndAfterwards { facts.valuesBefore = self.look(state) }
    let effect: Effect<Base.Action> = self.base.reduce(into: &state, action: action)
    effect.operation.forEachAtOnce { part in
      if case .run = part { facts.runs += 1 }
    }
    if self.looking != .never {
      let values: Values = self.look(state)
      facts.isStable = values == self.look(state)
      facts.values = values
    }
    self.capture.states.append(state)
    self.capture.actions.append(action)
    self.capture.facts.append(facts)
    return effect
  }
}
