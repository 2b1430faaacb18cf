import ComposableArchitecture

/// Any of the small features.
@Reducer
enum Leaf {
  case counter(Counter)
  case reader(Reader)
  case bag(Bag)
  case form(Form)
  case screen(Screen)
  case phase(Phase)
  case worker(Worker)
  case popup(Popup)
  case vault(Vault)
}

extension Leaf.State: Equatable {}

/// A feature in a list.
@Reducer
struct Row {
  @ObservableState
  struct State: Equatable, Identifiable {
    let id: Int
    var leaf: Leaf.State
    var visits = 0
  }

  enum Action {
    case leaf(Leaf.Action)
    case visit
    case remove
  }

  var body: some ReducerOf<Self> {
    Scope(\.leaf, action: \.leaf) { Leaf.body }
    Reduce { state, action in
      reached(.scopeKeyPath)
      switch action {
      case .visit:
        state.visits += 1
        return .run(name: "visit") { send in await send(.leaf(.counter(.increment))) }
          .cancellable(id: state.id)
      case .leaf, .remove:
        return .none
      }
    }
    ._printChanges(Self.printer)
  }

  private static var printer: _ReducerPrinter<State, Action> {
    _ReducerPrinter { _, _, _ in reached(.reducerPrinter) }
  }
}
