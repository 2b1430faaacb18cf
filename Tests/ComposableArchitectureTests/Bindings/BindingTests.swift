import ComposableArchitecture
import IssueReporting
import Testing

@Reducer
private struct Form {
  @ObservableState
  struct State: Equatable {
    var text = ""
    var count = 0
    var log: [String] = []
  }
  enum Action: BindableAction, Equatable {
    case binding(BindingAction<State>)
    case reset
  }

  var body: some ReducerOf<Self> {
    BindingReducer()
      .onChange(of: \.count) { _, newValue in
        Reduce { state, _ in
          state.log.append("count \(newValue)")
          return .none
        }
      }
    Reduce { state, action in
      switch action {
      case .binding(\.text):
        state.log.append("text \(state.text)")
        return .none
      case .binding:
        state.log.append("other")
        return .none
      case .reset:
        return .send(.set(\.text, "reset"))
      }
    }
  }
}

@Reducer
private struct Unhandled {
  @ObservableState
  struct State: Equatable { var text = "" }
  enum Action: BindableAction { case binding(BindingAction<State>) }
  var body: some ReducerOf<Self> { EmptyReducer() }
}

@Reducer
private struct Viewed {
  @ObservableState
  struct State: Equatable {
    var text = ""
    @Presents var form: Form.State?
  }
  enum Action: ViewAction {
    case view(View)
    case form(PresentationAction<Form.Action>)
    @CasePathable
    enum View: BindableAction {
      case binding(BindingAction<State>)
      case tap
    }
  }
  var body: some ReducerOf<Self> {
    BindingReducer(action: \.view)
    Reduce { state, action in
      if case .view(.tap) = action { state.text += "!" }
      return .none
    }
    .ifLet(\.$form, action: \.form) { Form() }
  }
}

@MainActor
private struct Page: ViewActionSending {
  let store: StoreOf<Viewed>
}

/// Values that controls are bound to.
@MainActor
@Suite
struct BindingTests {
  @Test func aWriteIsAnAction() {
    let store = Store(initialState: Form.State()) { Form() }
    store.text = "a"
    store.count = 3
    #expect(store.text == "a")
    #expect(store.count == 3)
    #expect(store.now.log == ["text a", "count 3", "other"])
    store.send(.reset)
    #expect(store.text == "reset")
    store.send(\.binding.count, 4)
    #expect(store.count == 4)
  }

  @Test func bindingsOfAViewsActions() {
    let store = Store(initialState: Viewed.State()) { Viewed() }
    store.text = "a"
    #expect(store.text == "a")
    Page(store: store).send(.tap)
    #expect(store.text == "a!")
  }

  @Test func anUnhandledWriteIsAnIssue() {
    let store = Store(initialState: Unhandled.State()) { Unhandled() }
    let issues = Issues()
    withIssueReporters([issues]) {
      store.text = "a"
      store.text = "b"
    }
    #expect(store.text == "")
    #expect(
      issues.firstLines
        == Array(repeating: "A binding action sent from a store was not handled. …", count: 2))
    #expect(
      issues.all.first?.contains("Unhandled.Action.binding(.set(_, \"a\"))") == true)
    #expect(issues.all.first?.contains("not embedded") == true)
  }

  @Test func actionsCompareByPathAndValue() {
    typealias Binding = BindingAction<Form.State>
    #expect(Binding.set(\.text, "a") == .set(\.text, "a"))
    #expect(Binding.set(\.text, "a") != .set(\.text, "b"))
    #expect(Binding.set(\.text, "a") != .set(\.count, 1))
    #expect(\.text ~= Binding.set(\.text, "a"))
    #expect(Form.Action.set(\.text, "a").binding == .set(\.text, "a"))
    #expect(Form.Action.reset.binding == nil)
    #expect(Form.Action.set(\.text, "a")[case: \.binding.text] == "a")
    #expect(Form.Action.set(\.text, "a")[case: \.binding.count] == nil)
    #expect(Binding.set(\.text, "a").description == #".set(\.text, "a")"#)
  }
}

extension Store {
  fileprivate func send<Value>(_ path: CaseKeyPath<Action, Value>, _ value: Value) {
    self.send(path(value))
  }
}
