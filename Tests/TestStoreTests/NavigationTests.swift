import ComposableArchitecture
import TestSupport
import Testing

@Reducer
private struct Screen {
  @ObservableState
  struct State: Equatable {
    var count = 0
    var isPresented: Bool?
  }
  enum Action: Equatable {
    case increment, look, close, closeSaved, saved, wait
  }
  @Dependency(\.dismiss) var dismiss
  @Dependency(\.isPresented) var isPresented

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .increment:
        state.count += 1
        return .none
      case .look:
        state.isPresented = isPresented
        return .none
      case .close:
        return .run { _ in await dismiss() }
      case .closeSaved:
        return .run { send in await send(.saved) }
      case .saved:
        return .run { _ in await dismiss() }
      case .wait:
        return .run { _ in try await Task.never() }
      }
    }
  }
}

@Reducer
private struct Root {
  @ObservableState
  struct State: Equatable {
    var path = StackState<Screen.State>()
    @Presents var sheet: Screen.State?
    var embedded = Screen.State()
  }
  enum Action: Equatable {
    case open, push(Int), pushTwo, pushLater, pushNow(Int)
    case path(StackActionOf<Screen>)
    case sheet(PresentationAction<Screen.Action>)
    case embedded(Screen.Action)
  }
  var body: some ReducerOf<Self> {
    Scope(state: \.embedded, action: \.embedded) { Screen() }
    Reduce { state, action in
      switch action {
      case .open:
        state.sheet = Screen.State()
        return .none
      case .push(let count), .pushNow(let count):
        state.path.append(Screen.State(count: count))
        return .none
      case .pushTwo:
        state.path.append(Screen.State(count: 1))
        state.path.append(Screen.State(count: 2))
        return .none
      case .pushLater:
        return .merge(.send(.pushNow(1)), .send(.pushNow(2)))
      case .path, .sheet, .embedded:
        return .none
      }
    }
    .ifLet(\.$sheet, action: \.sheet) { Screen() }
    .forEach(\.path, action: \.path) { Screen() }
  }
}

@Suite(.mainSerialExecutor) @MainActor
struct NavigationTests {
  private func makeStore() -> TestStoreOf<Root> {
    TestStore(initialState: Root.State()) { Root() }
  }

  @Test func presentation() async {
    let store = self.makeStore()
    await store.send(.open) { $0.sheet = Screen.State() }
    await store.send(\.sheet.increment) { $0.sheet?.count = 1 }
    await store.send(\.sheet.look) { $0.sheet?.isPresented = true }
    await store.send(\.sheet.wait)
    await store.send(.sheet(.presented(.close)))
    await store.receive(\.sheet.dismiss) { $0.sheet = nil }
    await store.send(.open) { $0.sheet = Screen.State() }
    await store.send(\.sheet.closeSaved)
    await store.receive(\.sheet.saved)
    await store.receive(.sheet(.dismiss)) { $0.sheet = nil }
    await store.send(.open) { $0.sheet = Screen.State() }
    await store.send(\.sheet.dismiss) { $0.sheet = nil }
    #expect(!store.isDismissed)
  }

  @Test func anEmbeddedFeatureIsNotPresented() async {
    let store = self.makeStore()
    await store.send(\.embedded.look) { $0.embedded.isPresented = false }
    let root = TestStore(initialState: Screen.State()) { Screen() }
    await root.send(.look) { $0.isPresented = false }
  }

  /// An assertion's elements get the ids that the reducer gave its own.
  @Test func idsOfStackElements() async {
    let store = self.makeStore()
    await store.send(.push(5)) { $0.path.append(Screen.State(count: 5)) }
    await store.send(.push(6)) { $0.path[id: 1] = Screen.State(count: 6) }
    await store.send(.pushTwo) {
      $0.path.append(Screen.State(count: 1))
      $0.path.append(Screen.State(count: 2))
    }
    #expect(store.state.path.ids == [0, 1, 2, 3])
    await store.send(\.path[id: 2].increment) { $0.path[id: 2]?.count = 2 }
    await store.send(.path(.element(id: 3, action: .close)))
    await store.receive(\.path.popFrom) { $0.path[id: 3] = nil }
    await store.send(\.path.push, (id: 4, state: Screen.State())) {
      $0.path[id: 4] = Screen.State()
    }
    await store.send(\.path.popFrom, 1) {
      $0.path = StackState()
      $0.path[id: 0] = Screen.State(count: 5)
    }
  }

  @Test func idsOfStackElementsOfReceivedActions() async {
    let store = self.makeStore()
    await store.send(.pushLater)
    await store.receive(\.pushNow, 1) { $0.path.append(Screen.State(count: 1)) }
    await store.receive(\.pushNow, 2) { $0.path[id: 1] = Screen.State(count: 2) }
    await store.send(.push(3)) { $0.path.append(Screen.State(count: 3)) }
    #expect(store.state.path.ids == [0, 1, 2])
  }

  @Test func dismissalOfTheRoot() async {
    let issues = await issues {
      let store = TestStore(initialState: Screen.State()) { Screen() }
      #expect(!store.isDismissed)
      await store.send(.wait)
      await store.send(.close)
      #expect(store.isDismissed)
      let task = await store.send(.increment)
      await task.finish()
      #expect(store.state.count == 0)
    }
    #expect(issues.failures == ["Can't send action to dismissed test store."])
  }

  @Test func aDismissalOfTheTest() async {
    let isDismissed = LockIsolated(false)
    let store = TestStore(initialState: Screen.State()) {
      Screen()
    } withDependencies: {
      $0.dismiss = DismissEffect { isDismissed.setValue(true) }
    }
    await store.send(.look) { $0.isPresented = true }
    await store.send(.close)
    #expect(isDismissed.value)
    #expect(store.isDismissed)
  }
}

@Reducer
private struct Form {
  @ObservableState
  struct State: Equatable {
    var name = ""
    var age = 0
    var changes = 0
  }
  enum Action: BindableAction, Equatable {
    case binding(BindingAction<State>)
    case load
  }
  var body: some ReducerOf<Self> {
    BindingReducer()
    Reduce { state, action in
      switch action {
      case .binding(\.name):
        state.changes += 1
        return .none
      case .binding:
        return .none
      case .load:
        return .send(.set(\.age, 42))
      }
    }
  }
}

@MainActor
struct BindingTests {
  @Test func inEveryForm() async {
    let store = TestStore(initialState: Form.State()) { Form() }
    await store.send(.binding(.set(\.name, "Blob"))) {
      $0.name = "Blob"
      $0.changes = 1
    }
    await store.send(.set(\.age, 7)) { $0.age = 7 }
    await store.send(\.binding.name, "Blob Jr.") {
      $0.name = "Blob Jr."
      $0.changes = 2
    }
    await store.send(.load)
    await store.receive(\.binding.age) { $0.age = 42 }
    await store.send(.load)
    await store.receive(\.binding.age, 42)
    await store.send(.load)
    await store.receive(.binding(.set(\.age, 42)))
    await store.send(.load)
    await store.receive(\.binding)
  }

  @Test func anotherBinding() async {
    let issues = await issues {
      let store = TestStore(initialState: Form.State()) { Form() }
      await store.send(.load)
      await store.receive(.set(\.age, 43)) { $0.age = 43 }
    }
    #expect(issues.firstLines == ["Received unexpected action: …"])
    #expect(issues.failures[0].contains(#"− Form.Action.binding(.set(\.age, 43)"#))
    #expect(issues.failures[0].contains(#"+ Form.Action.binding(.set(\.age, 42)"#))
  }
}
