import ComposableArchitecture
import IssueReporting
import Testing

@Reducer
private struct Child {
  @ObservableState
  struct State: Equatable { var text = "" }
  enum Action: BindableAction, Equatable { case binding(BindingAction<State>) }
  var body: some ReducerOf<Self> { BindingReducer() }
}

@Reducer
private struct Parent {
  @ObservableState
  struct State: Equatable {
    @Presents var child: Child.State?
    var path = StackState<Child.State>()
  }
  enum Action: Equatable {
    case show
    case hide
    case child(PresentationAction<Child.Action>)
    case path(StackAction<Child.State, Child.Action>)
  }
  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .show: state.child = Child.State()
      case .hide: state.child = nil
      case .child, .path: break
      }
      return .none
    }
    .ifLet(\.$child, action: \.child) { Child() }
    .forEach(\.path, action: \.path) { Child() }
  }
}

/// Stores of children that come and go.
@MainActor
@Suite
struct OptionalScopeTests {
  private let store = Store(initialState: Parent.State()) { Parent() }

  private var child: StoreOf<Child>? {
    self.store.scope(state: \.child, action: \.child.presented)
  }

  @Test func aChildIsThereWhileItsStateIs() throws {
    #expect(child == nil)
    store.send(.show)
    let first = try #require(child)
    #expect(first === child)
    first.text = "a"
    #expect(store.child?.text == "a")
    #expect(first.text == "a")
    store.send(.hide)
    #expect(child == nil)
    // It keeps the last state that was read, and drops writes.
    #expect(first.text == "a")
    first.text = "b"
    #expect(first.text == "a")
    store.send(.show)
    #expect(child !== first)
    #expect(child?.text == "")
  }

  @Test func childrenDoNotPileUp() {
    struct Weak { weak var store: StoreOf<Child>? }
    var stores: [Weak] = []
    for _ in 0..<1_000 {
      store.send(.show)
      stores.append(Weak(store: child))
      store.send(.hide)
    }
    #expect(stores.allSatisfy { $0.store == nil })
  }

  @Test func comingAndGoingIsObserved() {
    let changes = LockIsolated(0)
    func observe() {
      withObservationTracking {
        _ = child
      } onChange: {
        changes.withValue { $0 += 1 }
      }
    }
    observe()
    store.send(.show)
    #expect(changes.value == 1)
    observe()
    child?.text = "a"
    #expect(changes.value == 1)
    store.send(.hide)
    #expect(changes.value == 2)
  }

  @Test func elementsOfAStack() {
    store.send(.path(.push(id: 0, state: Child.State())))
    let stack = store.scope(state: \.path, action: \.path)
    let component = store.withState { $0.path.path[0] }
    let element = stack.scope(component: component)
    #expect(element === stack.scope(component: component))
    element.text = "a"
    #expect(element.text == "a")
    #expect(store.path[id: 0]?.text == "a")
    store.send(.path(.popFrom(id: 0)))
    #expect(element.text == "a")
    element.text = "b"
    #expect(element.text == "a")
  }
}
