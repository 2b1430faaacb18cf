import ComposableArchitecture

// Five features, each embedded in the one before: what a level costs.

@Reducer
struct Plain1 {
  struct State: Equatable {
    var child = Plain2.State()
    var title = "level 1"
  }

  enum Action {
    case child(Plain2.Action)
    case rename(String)
  }

  var body: some ReducerOf<Self> {
    Scope(state: \.child, action: \.child) {
      Plain2()
    }
    Reduce { state, action in
      switch action {
      case .child:
        return .none
      case .rename(let title):
        state.title = title
        return .none
      }
    }
  }
}

@Reducer
struct Plain2 {
  struct State: Equatable {
    var child = Plain3.State()
    var title = "level 2"
  }

  enum Action {
    case child(Plain3.Action)
    case rename(String)
  }

  var body: some ReducerOf<Self> {
    Scope(state: \.child, action: \.child) {
      Plain3()
    }
    Reduce { state, action in
      switch action {
      case .child:
        return .none
      case .rename(let title):
        state.title = title
        return .none
      }
    }
  }
}

@Reducer
struct Plain3 {
  struct State: Equatable {
    var child = Plain4.State()
    var title = "level 3"
  }

  enum Action {
    case child(Plain4.Action)
    case rename(String)
  }

  var body: some ReducerOf<Self> {
    Scope(state: \.child, action: \.child) {
      Plain4()
    }
    Reduce { state, action in
      switch action {
      case .child:
        return .none
      case .rename(let title):
        state.title = title
        return .none
      }
    }
  }
}

@Reducer
struct Plain4 {
  struct State: Equatable {
    var child = Plain5.State()
    var title = "level 4"
  }

  enum Action {
    case child(Plain5.Action)
    case rename(String)
  }

  var body: some ReducerOf<Self> {
    Scope(state: \.child, action: \.child) {
      Plain5()
    }
    Reduce { state, action in
      switch action {
      case .child:
        return .none
      case .rename(let title):
        state.title = title
        return .none
      }
    }
  }
}

@Reducer
struct Plain5 {
  struct State: Equatable {
    var child = Counter.State()
    var title = "level 5"
  }

  enum Action {
    case child(Counter.Action)
    case rename(String)
  }

  var body: some ReducerOf<Self> {
    Scope(state: \.child, action: \.child) {
      Counter()
    }
    Reduce { state, action in
      switch action {
      case .child:
        return .none
      case .rename(let title):
        state.title = title
        return .none
      }
    }
  }
}

// The same with observable state.

@Reducer
struct Observed1 {
  @ObservableState
  struct State: Equatable {
    var child = Observed2.State()
    var title = "level 1"
  }

  enum Action {
    case child(Observed2.Action)
    case rename(String)
  }

  var body: some ReducerOf<Self> {
    Scope(state: \.child, action: \.child) {
      Observed2()
    }
    Reduce { state, action in
      switch action {
      case .child:
        return .none
      case .rename(let title):
        state.title = title
        return .none
      }
    }
  }
}

@Reducer
struct Observed2 {
  @ObservableState
  struct State: Equatable {
    var child = Observed3.State()
    var title = "level 2"
  }

  enum Action {
    case child(Observed3.Action)
    case rename(String)
  }

  var body: some ReducerOf<Self> {
    Scope(state: \.child, action: \.child) {
      Observed3()
    }
    Reduce { state, action in
      switch action {
      case .child:
        return .none
      case .rename(let title):
        state.title = title
        return .none
      }
    }
  }
}

@Reducer
struct Observed3 {
  @ObservableState
  struct State: Equatable {
    var child = Observed4.State()
    var title = "level 3"
  }

  enum Action {
    case child(Observed4.Action)
    case rename(String)
  }

  var body: some ReducerOf<Self> {
    Scope(state: \.child, action: \.child) {
      Observed4()
    }
    Reduce { state, action in
      switch action {
      case .child:
        return .none
      case .rename(let title):
        state.title = title
        return .none
      }
    }
  }
}

@Reducer
struct Observed4 {
  @ObservableState
  struct State: Equatable {
    var child = Observed5.State()
    var title = "level 4"
  }

  enum Action {
    case child(Observed5.Action)
    case rename(String)
  }

  var body: some ReducerOf<Self> {
    Scope(state: \.child, action: \.child) {
      Observed5()
    }
    Reduce { state, action in
      switch action {
      case .child:
        return .none
      case .rename(let title):
        state.title = title
        return .none
      }
    }
  }
}

@Reducer
struct Observed5 {
  @ObservableState
  struct State: Equatable {
    var child = ObservableCounter.State()
    var title = "level 5"
  }

  enum Action {
    case child(ObservableCounter.Action)
    case rename(String)
  }

  var body: some ReducerOf<Self> {
    Scope(state: \.child, action: \.child) {
      ObservableCounter()
    }
    Reduce { state, action in
      switch action {
      case .child:
        return .none
      case .rename(let title):
        state.title = title
        return .none
      }
    }
  }
}
