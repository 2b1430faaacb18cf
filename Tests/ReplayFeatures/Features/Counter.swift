import ComposableArchitecture

/// Counts, with a body in which every form of statement stands.
@Reducer
struct Counter {
  @ObservableState
  struct State: Equatable {
    var count = 0
    var additions = 0
    var log: [Int] = []
  }

  enum Action: Equatable {
    case increment
    case decrement
    case add(Int)
    case clear
  }

  var isShort = false
  var bonus: Int?

  var body: some ReducerOf<Self> {
    Stepper()
    Tally()
    if self.isShort {
      Keeper(limit: 2)
    } else {
      Keeper(limit: 5)
    }
    if let bonus { Adder(amount: bonus, row: .buildOptional) }
    for amount in [1, -1] { Adder(amount: amount, row: .buildArray) }
    if #available(macOS 14, *) { Adder(amount: 0, row: .buildLimitedAvailability) }
    Adder?.some(Adder(amount: 0, row: .optionalReducer))
    CombineReducers {
      EmptyReducer()
      Adder(amount: 0, row: .combineReducers)
    }
    self.hidden(Adder(amount: 0, row: .buildAnyExpression))
    Reduce(Adder(amount: 0, row: .reduceReducer))
    self.nothing
  }

  @ReducerBuilder<State, Action>
  private func hidden(_ reducer: any Reducer<State, Action>) -> some Reducer<State, Action> {
    reducer
    Adder(amount: 0, row: .reducerBuilder)
  }

  @ReducerBuilder<State, Action>
  private var nothing: some Reducer<State, Action> {}

  /// Counts, with the requirement as it was spelled for years.
  struct Stepper: Reducer {
    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      reached(.oldReduce)
      switch action {
      case .increment: state.count &+= 1
      case .decrement: state.count &-= 1
      case .add(let amount): state.count &+= amount
      case .clear:
        state.count = 0
        state.log = []
      }
      return .none
    }
  }

  /// Counts additions, with the requirement as it is spelled now.
  struct Tally: Reducer {
    func _reduce(into state: inout State, action: Action) -> Effect<Action> {
      reached(.newReduce)
      reached(.effectNone)
      if case .add = action { state.additions += 1 }
      return .none
    }
  }

  /// Keeps the last counts.
  struct Keeper: Reducer {
    let limit: Int

    var body: some Reducer<State, Action> {
      Reduce { state, _ in
        reached(self.limit == 2 ? .buildEitherFirst : .buildEitherSecond)
        reached(.body)
        reached(.reduceClosure)
        state.log.append(state.count)
        state.log.removeFirst(max(0, state.log.count - self.limit))
        return .none
      }
    }
  }

  /// Adds when something is added.
  struct Adder: Reducer {
    let amount: Int
    let row: SurfaceRow

    var body: some Reducer<State, Action> {
      Reduce { state, action in
        reached(self.row)
        reached(.reducer)
        reached(.reducerOf)
        reached(.buildPartialBlock)
        // Whatever surrounds these in the body of a counter has run as well.
        reached(.emptyReducer)
        reached(.buildEmptyBlock)
        if case .add = action { state.count &+= self.amount }
        return .none
      }
    }
  }
}
