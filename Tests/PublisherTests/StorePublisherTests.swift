import ComposableArchitecture
import TestSupport
import Testing

private struct Plain: Reducer {
  struct State: Equatable {
    var count = 0
    var name = "a"
    var child = Child()
    struct Child: Equatable { var value = 0 }
  }
  @CasePathable
  enum Action {
    case increment
    case rename(String)
    case child(Int)
  }
  var body: some Reducer<State, Action> {
    Reduce { state, action in
      switch action {
      case .increment: state.count += 1
      case .rename(let name): state.name = name
      case .child(let value): state.child.value = value
      }
      return .none
    }
  }
}

private struct Observed: Reducer {
  @ObservableState
  struct State: Equatable {
    var count = 0
  }
  enum Action { case increment }
  var body: some Reducer<State, Action> {
    Reduce { state, _ in
      state.count += 1
      return .none
    }
  }
}

@MainActor
private final class Seen<Value: Sendable> {
  var values: [Value] = []
  private var task: Task<Void, Never>?

  init<S: AsyncSequence<Value, Never>>(_ sequence: S) where S: Sendable {
    self.task = Task { [weak self] in
      for await value in sequence { self?.values.append(value) }
    }
  }

  func cancel() async {
    self.task?.cancel()
    await self.task?.value
  }
}

@MainActor
@Suite(.mainSerialExecutor) struct StorePublisherTests {
  @Test func presentStateComesFirst() async {
    let store = Store(initialState: Plain.State(count: 3)) { Plain() }
    for await count in store.publisher.count {
      #expect(count == 3)
      break
    }
  }

  @Test func eachStateIsSeen() async {
    let store = Store(initialState: Plain.State()) { Plain() }
    let seen = Seen(store.publisher.map(\.count))
    await settle()
    store.send(.increment)
    store.send(.increment)
    store.send(.rename("b"))
    await settle()
    store.send(.increment)
    await settle()
    #expect(seen.values == [0, 1, 2, 2, 3])
    await seen.cancel()
  }

  @Test func partsWithoutRepetitions() async {
    let store = Store(initialState: Plain.State()) { Plain() }
    let counts = Seen(store.publisher.count)
    let names = Seen(store.publisher.name)
    let values = Seen(store.publisher.child.value.values)
    await settle()
    store.send(.increment)
    store.send(.rename("a"))
    store.send(.rename("b"))
    store.send(.rename("b"))
    store.send(.increment)
    store.send(.child(5))
    await settle()
    #expect(counts.values == [0, 1, 2])
    #expect(names.values == ["a", "b"])
    #expect(values.values == [0, 5])
    for seen in [counts, values] { await seen.cancel() }
    await names.cancel()
  }

  @Test func changesInsideAnObservableState() async {
    let store = Store(initialState: Observed.State()) { Observed() }
    let whole = Seen(store.publisher.map(\.count))
    let part = Seen(store.publisher.count.dropFirst())
    await settle()
    store.send(.increment)
    store.send(.increment)
    await settle()
    #expect(whole.values == [0, 1, 2])
    #expect(part.values == [1, 2])
    await whole.cancel()
    await part.cancel()
  }

  @Test func partOfAScopedStore() async {
    let store = Store(initialState: Plain.State()) { Plain() }
    let child = store.scope(state: \.child, action: \.child)
    let seen = Seen(child.publisher.value)
    await settle()
    child.send(4)
    store.send(.increment)
    await settle()
    #expect(seen.values == [0, 4])
    await seen.cancel()
  }

  @Test func twoIterationsOfOnePublisher() async {
    let store = Store(initialState: Plain.State()) { Plain() }
    let publisher = store.publisher.count
    let first = Seen(publisher)
    await settle()
    store.send(.increment)
    await settle()
    let second = Seen(publisher)
    await settle()
    #expect(first.values == [0, 1])
    #expect(second.values == [1])
    await first.cancel()
    await second.cancel()
    store.send(.increment)
    #expect(first.values == [0, 1])
  }

  @Test func storeIsFreedAfterTheIteration() async {
    weak var weakStore: StoreOf<Plain>?
    let seen: Seen<Int>
    do {
      let store = Store(initialState: Plain.State()) { Plain() }
      weakStore = store
      seen = Seen(store.publisher.count)
      await settle()
    }
    await seen.cancel()
    #expect(weakStore == nil)
  }

  @Test func optionalParts() async {
    struct Feature: Reducer {
      struct State { var name: String? }
      var body: some Reducer<State, String?> {
        Reduce { state, action in
          state.name = action
          return .none
        }
      }
    }
    let store = Store(initialState: Feature.State()) { Feature() }
    let seen = Seen(store.publisher.name)
    await settle()
    store.send(nil)
    store.send("a")
    store.send(nil)
    await settle()
    #expect(seen.values == [nil, "a", nil])
    await seen.cancel()
  }
}
