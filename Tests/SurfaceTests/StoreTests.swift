import ComposableArchitecture
import Foundation
import Testing

/// Stores, their parts, and what `send` returns.
@MainActor
struct StoreTests {
  @Reducer
  struct Feature {
    @ObservableState
    struct State: Equatable {
      var counter = Counter.State()
      var optional: Counter.State?
      var rows: IdentifiedArrayOf<Row.State> = []
      var path = StackState<Counter.State>()
      var plain = 0
    }

    enum Action {
      case counter(Counter.Action), optional(Counter.Action)
      case rows(IdentifiedActionOf<Row>), path(StackActionOf<Counter>)
      case appear, disappear
    }

    var body: some ReducerOf<Self> {
      Scope(state: \.counter, action: \.counter) { Counter() }
      Reduce { state, action in
        switch action {
        case .appear: state.optional = Counter.State()
        case .disappear: state.optional = nil
        default: break
        }
        return .none
      }
      .ifLet(\.optional, action: \.optional) { Counter() }
      .forEach(\.rows, action: \.rows) { Row() }
      .forEach(\.path, action: \.path) { Counter() }
    }
  }

  @Reducer
  struct Row {
    @ObservableState
    struct State: Equatable, Identifiable {
      let id: Int
      var count = 0
    }
    enum Action { case tap }
    var body: some ReducerOf<Self> {
      Reduce { state, _ in
        state.count += 1
        return .none
      }
    }
  }

  @Test func dependenciesHoldWhileTheStateAndTheReducerAreMade() {
    struct Stamp: Reducer {
      let made: Date
      init() {
        @Dependency(\.date.now) var now
        self.made = now
      }
      func reduce(into state: inout [Date], action: Void) -> Effect<Void> {
        state.append(self.made)
        return .none
      }
    }
    @Dependency(\.date) var date
    let store = Store(initialState: [date.now]) {
      Stamp()
    } withDependencies: {
      $0.date.now = Date(timeIntervalSince1970: 3)
    }
    store.send(())
    let third = Date(timeIntervalSince1970: 3)
    #expect(store.withState { $0 } == [third, third])
  }

  @Test func partsOfAStore() {
    let store = Store(initialState: Feature.State(rows: [Row.State(id: 1), Row.State(id: 2)])) {
      Feature()
    }
    let counter: StoreOf<Counter> = store.scope(\.counter, action: \.counter)
    #expect(counter === store.scope(state: \.counter, action: \.counter))
    counter.send(.increment)
    #expect(counter.count == 1)
    #expect(counter.state == Counter.State(count: 1))
    #expect(store.counter.count == 1)

    #expect(store.scope(\.optional, action: \.optional) == nil)
    store.send(.appear)
    store.scope(state: \.optional, action: \.optional)?.send(.increment)
    #expect(store.optional?.count == 1)
    let part: StoreOf<Counter>? = store.scope(\.optional, action: \.optional)
    store.send(.disappear)
    #expect(part?.count == 1)
    #expect(store.scope(state: \.optional, action: \.optional) == nil)

    let rows = store.scope(\.rows, action: \.rows)
    #expect(rows.startIndex == 0)
    #expect(rows.endIndex == 2)
    rows[1].send(.tap)
    #expect(store.rows[id: 2]?.count == 1)
    #expect(Array(store.scope(state: \.rows, action: \.rows)).map(\.count) == [0, 1])
    let identified: some RandomAccessCollection<StoreOf<Row>> = rows
    #expect(identified.map(\.state.id) == [1, 2])
    let row = store.scope(state: \.rows[id: 1], action: \.rows[id: 1])
    row?.send(.tap)
    #expect(store.rows.map(\.count) == [1, 1])
  }

  @Test func elementsOfAStack() {
    let store = withDependencies {
      $0.context = .test
    } operation: {
      Store(initialState: Feature.State(path: StackState([Counter.State(), Counter.State()]))) {
        Feature()
      }
    }
    let stack = store.scope(\.path, action: \.path)
    let component = stack.withState { $0.path[1] }
    let element = stack.scope(component: component)
    element.send(.increment)
    #expect(element.count == 1)
    #expect(store.path.map(\.count) == [0, 1])
  }

  @Test func storesOfPlainValues() async {
    let store = Store<Int, Int>(initialState: 1) {
      Reduce { state, action in
        state += action
        return .none
      }
    }
    let text: Store<String, Int> = store.scope(state: \.description, action: \.self)
    store.send(1)
    text.send(2)
    #expect(text.withState(\.count) == 1)
    #expect(text.withState { $0 } == "4")
    var states: [Int] = []
    for await state in store.publisher.prefix(1) { states.append(state) }
    for await count in store.publisher.description.count.prefix(1) { states.append(count) }
    #expect(states == [4, 1])
  }

  @Test func storesAreKnownByIdentity() {
    let first = Store(initialState: Counter.State()) { Counter() }
    let second = Store(initialState: Counter.State()) { Counter() }
    #expect(first != second)
    #expect(Set([first, second, first]).count == 2)
    #expect(first.id == ObjectIdentifier(first))
    #expect(first.debugDescription == "Store<Counter.State, Counter.Action>")
  }

  @Test func whatSendReturns() async {
    let clock = TestClock()
    let store = Store(initialState: Counter.State()) {
      Counter()
    } withDependencies: {
      $0.continuousClock = clock
    }
    let task: StoreTask = store.send(.start)
    #expect(!task.isCancelled)
    #expect(Set([task, task]).count == 1)
    task.cancel()
    #expect(task.isCancelled)
    await task.finish()
    #expect(store.count == 0)
  }

  @Test func sendingWhileAnActionIsProcessed() async {
    let store = LockIsolated<UncheckedSendable<Store<Int, Bool>>?>(nil)
    let issues = await issues {
      let made = Store<Int, Bool>(initialState: 0) {
        Reduce { state, isFirst in
          state += 1
          if isFirst {
            _ = MainActor.assumeIsolated { store.value?.value.send(false) }
          }
          return .none
        }
      }
      store.setValue(UncheckedSendable(made))
      made.send(true)
      #expect(made.withState { $0 } == 2)
      store.setValue(nil)
    }
    #expect(issues.headings.count == 1)
    #expect(issues.headings[0].hasPrefix("Sent '"))
    #expect(issues.headings[0].hasSuffix("' while an action was being processed. …"))
  }
}
