import ComposableArchitecture
import Testing

/// What an observer of a store is told, through Swift's Observation.
@MainActor
@Suite
struct ObservationTests {
  @Reducer
  struct Child {
    @ObservableState
    struct State: Equatable {
      var count = 0
      var name = ""
    }
    enum Action: Equatable { case increment, rename(String) }
    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .increment: state.count += 1
        case .rename(let name): state.name = name
        }
        return .none
      }
    }
  }

  @Reducer
  struct Parent {
    @ObservableState
    struct State: Equatable {
      var child = Child.State()
      var total = 0
    }
    enum Action: Equatable { case child(Child.Action), add(Int), reset }
    var body: some ReducerOf<Self> {
      Scope(state: \.child, action: \.child) { Child() }
      Reduce { state, action in
        switch action {
        case .child: return .none
        case .add(let amount):
          state.total += amount
          return .none
        case .reset:
          state = State()
          return .none
        }
      }
    }
  }

  /// Reads what `read` reads and counts whether it changes while `change` runs.
  private func isTold(of read: @escaping () -> Void, when change: () -> Void) -> Bool {
    let isTold = LockIsolated(false)
    withObservationTracking(read) { isTold.setValue(true) }
    change()
    return isTold.value
  }

  @Test func aChangeOfWhatWasReadIsTold() {
    let store = Store(initialState: Parent.State()) { Parent() }
    #expect(self.isTold(of: { _ = store.total }, when: { store.send(.add(1)) }))
    #expect(store.total == 1)
  }

  @Test func aChangeOfSomethingElseIsNot() {
    let store = Store(initialState: Parent.State()) { Parent() }
    #expect(!self.isTold(of: { _ = store.total }, when: { store.send(.child(.increment)) }))
  }

  @Test func anEqualValueIsNoChange() {
    let store = Store(initialState: Child.State()) { Child() }
    #expect(!self.isTold(of: { _ = store.name }, when: { store.send(.rename("")) }))
    #expect(self.isTold(of: { _ = store.name }, when: { store.send(.rename("a")) }))
  }

  @Test func aStateThatIsReplacedIsTold() {
    let store = Store(initialState: Parent.State()) { Parent() }
    #expect(self.isTold(of: { _ = store.total }, when: { store.send(.reset) }))
  }

  @Test func aChildStoreSeesItsPart() {
    let store = Store(initialState: Parent.State()) { Parent() }
    let child = store.scope(state: \.child, action: \.child)
    #expect(child === store.scope(\.child, action: \.child))
    #expect(self.isTold(of: { _ = child.count }, when: { child.send(.increment) }))
    #expect(child.count == 1)
    #expect(store.child.count == 1)
    #expect(!self.isTold(of: { _ = child.count }, when: { store.send(.add(1)) }))
    #expect(self.isTold(of: { _ = child.count }, when: { store.send(.reset) }))
    #expect(child.count == 0)
  }

  @Test func anObserverReadsTheOldStateWhenItIsTold() {
    let store = Store(initialState: Child.State()) { Child() }
    let seen = LockIsolated<[Int]>([])
    withObservationTracking {
      _ = store.count
    } onChange: {
      MainActor.assumeIsolated {
        let count = store.count
        seen.withValue { $0.append(count) }
      }
    }
    store.send(.increment)
    #expect(seen.value == [0])
    #expect(store.count == 1)
  }

  @Test func storesAreFreed() {
    weak var weakParent: StoreOf<Parent>?
    weak var weakChild: StoreOf<Child>?
    do {
      let parent = Store(initialState: Parent.State()) { Parent() }
      let child = parent.scope(state: \.child, action: \.child)
      weakParent = parent
      weakChild = child
      child.send(.increment)
    }
    #expect(weakParent == nil)
    #expect(weakChild == nil)
  }
}
