public import Perception

extension Store: Perceptible {}

extension Store where State: ObservableState {
  /// The state. Reading it is observed.
  public var state: State {
    self.observedState
  }

  /// A value of the state. Reading it is observed.
  public subscript<Value>(dynamicMember keyPath: KeyPath<State, Value>) -> Value {
    self.observedState[keyPath: keyPath]
  }
}

extension Store: Equatable {
  public nonisolated static func == (lhs: Store, rhs: Store) -> Bool {
    lhs === rhs
  }
}

extension Store: Hashable {
  public nonisolated func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}

extension Store: Identifiable {}

extension Store: CustomDebugStringConvertible {
  public nonisolated var debugDescription: String {
    "Store<\(shortTypeName(State.self)), \(shortTypeName(Action.self))>"
  }
}
