import ComposableArchitecture

/// A counter whose state is observed.
@Reducer
struct ObservableCounter {
  @ObservableState
  struct State: Equatable {
    var count = 0
  }

  enum Action {
    case increment
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .increment:
        state.count += 1
        return .none
      }
    }
  }
}

/// A feature that presents itself, as deep as one likes.
@Reducer
struct Nested {
  @ObservableState
  struct State: Equatable {
    @Presents var child: Nested.State?
    var count = 0

    init(depth: Int) {
      if depth > 0 { self.child = Nested.State(depth: depth - 1) }
    }
  }

  enum Action {
    indirect case child(PresentationAction<Nested.Action>)
    case increment
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .child:
        return .none
      case .increment:
        state.count += 1
        return .none
      }
    }
    .ifLet(\.$child, action: \.child) {
      Nested()
    }
  }

  /// The action that increments the count `depth` levels down.
  static func increment(depth: Int) -> Action {
    depth == 0 ? .increment : .child(.presented(self.increment(depth: depth - 1)))
  }
}

/// A list of plain rows.
@Reducer
struct PlainRows {
  @Reducer
  struct Row {
    struct State: Equatable, Identifiable {
      let id: Int
      var count = 0
    }

    enum Action {
      case increment
    }

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        state.count += 1
        return .none
      }
    }
  }

  struct State: Equatable {
    var rows: IdentifiedArrayOf<Row.State>

    init(count: Int) {
      self.rows = IdentifiedArray(uniqueElements: (0..<count).map { Row.State(id: $0) })
    }
  }

  enum Action {
    case rows(IdentifiedActionOf<Row>)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in .none }
      .forEach(\.rows, action: \.rows) { Row() }
  }
}

/// A list of observed rows.
@Reducer
struct ObservedRows {
  @Reducer
  struct Row {
    @ObservableState
    struct State: Equatable, Identifiable {
      let id: Int
      var count = 0
    }

    enum Action {
      case increment
    }

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        state.count += 1
        return .none
      }
    }
  }

  @ObservableState
  struct State: Equatable {
    var rows: IdentifiedArrayOf<Row.State>

    init(count: Int) {
      self.rows = IdentifiedArray(uniqueElements: (0..<count).map { Row.State(id: $0) })
    }
  }

  enum Action {
    case rows(IdentifiedActionOf<Row>)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in .none }
      .forEach(\.rows, action: \.rows) { Row() }
  }
}

/// A feature with an effect that answers.
@Reducer
struct Answering {
  struct State: Equatable {
    var count = 0
  }

  enum Action: Equatable {
    case ask
    case askAtOnce
    case answer
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .ask:
        return .run { send in await send(.answer) }
      case .askAtOnce:
        return .send(.answer)
      case .answer:
        state.count += 1
        return .none
      }
    }
  }
}
