import ComposableArchitecture

/// 4 KiB of a value, stored in line.
struct Page: Equatable {
  var words: InlineArray<512, UInt64> = InlineArray(repeating: 0)

  static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.words.indices.allSatisfy { lhs.words[$0] == rhs.words[$0] }
  }
}

/// A state of 16 KiB without a box.
@Reducer
struct Large {
  struct State: Equatable {
    var first = Page()
    var second = Page()
    var third = Page()
    var fourth = Page()
  }
  enum Action { case set(UInt64) }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      if case .set(let word) = action { state.fourth.words[511] = word }
      return .none
    }
  }
}

/// A feature around another one.
struct Level<Child: Reducer & SendableMetatype>: Reducer {
  struct State {
    var child: Child.State
    var count = 0
  }
  @CasePathable
  enum Action {
    case child(Child.Action)
  }
  let child: Child

  var body: some Reducer<State, Action> {
    Scope(state: \.child, action: \.child) { child }
    Reduce { state, _ in
      state.count += 1
      return .none
    }
  }
}

@MainActor
func runDeep() {
  typealias Four<Child: Reducer & SendableMetatype> = Level<Level<Level<Level<Child>>>>
  typealias Tree = Four<Four<Four<Large>>>
  func four<Child: Reducer & SendableMetatype>(_ child: Child) -> Four<Child> {
    Level(child: Level(child: Level(child: Level(child: child))))
  }
  func four<Child>(state: Child.State) -> Four<Child>.State where Child: Reducer {
    .init(child: .init(child: .init(child: .init(child: state))))
  }
  func four<Child: Reducer & SendableMetatype>(action: Child.Action) -> Four<Child>.Action {
    .child(.child(.child(.child(action))))
  }
  let store = Store<Tree.State, Tree.Action>(
    initialState: four(state: four(state: four(state: Large.State())))
  ) {
    four(four(four(Large())))
  }
  for word in [1, 2, 3] as [UInt64] {
    store.send(four(action: four(action: four(action: Large.Action.set(word)))))
  }
  let word = store.withState {
    $0.child.child.child.child.child.child.child.child.child.child.child.child.fourth.words[511]
  }
  print("deep \(word)")
}
