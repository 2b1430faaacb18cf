import ComposableArchitecture

/// A feature with every kind of origin: actions from outside, from effects, from effects of effects.
@Reducer
struct Counter {
  @ObservableState
  struct State: Equatable {
    var count = 0
    var log: [String] = []
    var choice: Choice = .none
  }

  enum Choice: Equatable {
    case none
    case named(String, weight: Double)
  }

  enum Action: Equatable {
    case increment
    case decrement
    case add(Int)
    case choose(Choice)
    case fetch
    case response(text: String)
    case chain(Int)
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
      case .choose(let choice):
        state.choice = choice
        return .none
      case .fetch:
        return .run(name: "fetch") { [count = state.count] send in
          await send(.response(text: "fact \(count)"))
        }
      case .response(let text):
        state.log.append(text)
        return .none
      case .chain(let length):
        state.count += 1
        return length > 1 ? .send(.chain(length - 1)) : .none
      }
    }
  }
}
