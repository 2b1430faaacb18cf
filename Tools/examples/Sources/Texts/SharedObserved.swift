import ComposableArchitecture

// "Shared state": a feature that follows a shared value, and one that changes it in an effect.

enum ObservedShared {
  @Reducer
  struct Feature {
    struct State: Equatable {
      @Shared var count: Int
      var updates: [Int] = []
    }
    enum Action {
      case onAppear
      case countUpdated(Int)
    }
    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .onAppear:
          return .publisher {
            state.$count.publisher
              .map(Action.countUpdated)
          }

        case .countUpdated(let count):
          state.updates.append(count)
          return .none
        }
      }
    }
  }
}

@Reducer
struct Feature {
  struct State: Equatable {
    @Shared var count: Int
  }
  enum Action {
    case incrementButtonTapped
  }
  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .incrementButtonTapped:
        state.$count.withLock { $0 += 1 }
        return .none
      }
    }
  }
}

@Reducer
struct SimpleFeature {
  struct State: Equatable {
    @Shared var count: Int
  }
  enum Action {
    case incrementButtonTapped
  }
  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .incrementButtonTapped:
        return .run { [sharedCount = state.$count] _ in
          sharedCount.withLock { $0 += 1 }
        }
      }
    }
  }
}

enum SharedInResponse {
  @Reducer
  struct Feature {
    struct State: Equatable {
      @Shared(value: false) var bool
    }
    enum Action {
      case tap
      case response
    }
    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .tap:
          return .run { send in
            await send(.response)
          }
        case .response:
          state.$bool.withLock { $0.toggle() }
          return .none
        }
      }
    }
  }
}
