import ComposableArchitecture

/// The smallest feature: what it costs is what the architecture and the recorder cost.
@Reducer
struct Counter {
  struct State: Equatable {
    var count = 0
  }

  enum Action {
    case increment
    case decrement
    case add(Int)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .increment:
        state.count += 1
        return .none
      case .decrement:
        state.count -= 1
        return .none
      case .add(let amount):
        state.count += amount
        return .none
      }
    }
  }

  /// The action of that number in a fixed sequence.
  static func action(_ index: Int) -> Action {
    switch index % 3 {
    case 0: .increment
    case 1: .add(index & 1_023)
    default: .decrement
    }
  }
}
