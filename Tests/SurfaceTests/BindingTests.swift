import ComposableArchitecture
import Testing

/// Bindings, and the actions of views.
@MainActor
struct BindingTests {
  @Reducer
  struct Form {
    @ObservableState
    struct State: Equatable {
      var name = ""
      var size = Size()
      var changes = 0
      struct Size: Equatable, Sendable { var width = 0 }
    }

    enum Action: BindableAction, Equatable {
      case binding(BindingAction<State>)
    }

    var body: some ReducerOf<Self> {
      BindingReducer()
      Reduce { state, action in
        switch action {
        case .binding(\.name), .binding(\.size.width):
          state.changes += 1
          return .none
        case .binding:
          return .none
        }
      }
    }
  }

  @Reducer
  struct Screen {
    @ObservableState
    struct State: Equatable { var name = "" }

    enum Action: ViewAction {
      case view(View)
      case loaded

      @CasePathable
      enum View: BindableAction {
        case binding(BindingAction<State>)
        case load
      }
    }

    var body: some ReducerOf<Self> {
      BindingReducer(action: \.view)
      Reduce { _, action in
        switch action {
        case .view(.load): .run { await $0(.loaded) }
        case .view, .loaded: .none
        }
      }
    }
  }

  @ViewAction(for: Screen.self)
  @MainActor
  struct ScreenView {
    let store: StoreOf<Screen>
    func load() -> StoreTask { send(.load) }
  }

  @Test func everyWayToWriteABindingAction() async {
    let store = TestStore(initialState: Form.State()) { Form() }
    await store.send(.binding(.set(\.name, "a"))) {
      $0.name = "a"
      $0.changes = 1
    }
    await store.send(.set(\.size.width, 4)) {
      $0.size.width = 4
      $0.changes = 2
    }
    await store.send(\.binding.name, "b") {
      $0.name = "b"
      $0.changes = 3
    }
    await store.send(\.binding.size, Form.State.Size(width: 5)) { $0.size.width = 5 }
  }

  @Test func bindingActionsAreValues() {
    let action = BindingAction<Form.State>.set(\.name, "a")
    #expect(action == .set(\.name, "a"))
    #expect(action != .set(\.name, "b"))
    #expect(action != .set(\.size.width, 1))
    #expect(action.keyPath == \Form.State.name)
    #expect(\Form.State.name ~= action)
    #expect(Form.Action.binding(action)[case: \.binding.name] == "a")
    #expect(String(customDumping: action) == #".set(\.name, "a")"#)
    #expect(Form.Action.set(\.name, "a") == .binding(action))
    #expect(Form.Action.set(\.name, "a").binding == action)
  }

  @Test func writingToAStore() {
    let store = Store(initialState: Form.State()) { Form() }
    store.name = "a"
    store.size.width += 1
    #expect(store.name == "a")
    #expect(store.size.width == 1)
    #expect(store.changes == 1)
    let screen = Store(initialState: Screen.State()) { Screen() }
    screen.name = "b"
    #expect(screen.name == "b")
  }

  @Test func actionsOfAView() async {
    let store = TestStore(initialState: Screen.State()) { Screen() }
    await store.send(\.view.binding.name, "a") { $0.name = "a" }
    await store.send(\.view.load)
    await store.receive(\.loaded)
    let live = Store(initialState: Screen.State()) { Screen() }
    let task = ScreenView(store: live).load()
    await task.finish()
    let view: any ViewActionSending<Screen.State, Screen.Action> = ScreenView(store: live)
    #expect(view.store === live)
  }

  @Test func aBindingThatNobodyHandles() async {
    let issues = await issues {
      let store = Store<Form.State, Form.Action>(initialState: Form.State()) { EmptyReducer() }
      store.name = "a"
      #expect(store.name == "")
    }
    #expect(issues.headings == ["A binding action sent from a store was not handled. …"])
  }
}
