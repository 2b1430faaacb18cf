import ComposableArchitecture
import TestSupport
import Testing

private struct Follower: Reducer {
  struct State: Equatable {
    @Shared var count: Int
    var seen: [Int] = []
  }
  enum Action: Equatable {
    case follow
    case followChanges
    case increment
    case countUpdated(Int)
    case stop
  }
  enum CancelID { case follow }

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      switch action {
      case .follow:
        return .publisher {
          state.$count.publisher
            .map(Action.countUpdated)
        }
        .cancellable(id: CancelID.follow)
      case .followChanges:
        return .publisher {
          state.$count.publisher
            .removeDuplicates()
            .dropFirst()
            .map { .countUpdated($0) }
        }
        .cancellable(id: CancelID.follow)
      case .increment:
        state.$count.withLock { $0 += 1 }
        return .none
      case .countUpdated(let count):
        state.seen.append(count)
        return .none
      case .stop:
        return .cancel(id: CancelID.follow)
      }
    }
  }
}

@MainActor
@Suite(.mainSerialExecutor) struct SharedPublisherTests {
  @Test func eachChangeBecomesAnAction() async {
    let shared = Shared(value: 0)
    let store = Store(initialState: Follower.State(count: shared)) { Follower() }
    let task = store.send(.follow)
    await turn { store.withState { $0.seen == [0] } }
    store.send(.increment)
    store.send(.increment)
    shared.withLock { $0 = 7 }
    await turn { store.withState { $0.seen.count == 4 } }
    #expect(store.withState { $0.seen } == [0, 1, 2, 7])
    store.send(.stop)
    await task.finish()
    store.send(.increment)
    await settle()
    #expect(store.withState { $0.seen } == [0, 1, 2, 7])
  }

  @Test func changeRightAfterTheStartIsNotMissed() async {
    let shared = Shared(value: 0)
    let store = Store(initialState: Follower.State(count: shared)) { Follower() }
    store.send(.followChanges)
    shared.withLock { $0 = 1 }
    await turn { store.withState { $0.seen == [1] } }
    #expect(store.withState { $0.seen } == [1])
  }

  @Test func subscriberOfAnOldPublisherGetsTheLatestValue() async {
    let shared = Shared(value: 1)
    let publisher = shared.publisher
    shared.withLock { $0 = 2 }
    for await value in publisher {
      #expect(value == 2)
      break
    }
  }

  @Test func testStoreReceivesWhatIsPublished() async {
    let store = TestStore(initialState: Follower.State(count: Shared(value: 0))) { Follower() }
    let task = await store.send(.followChanges)
    await store.send(.increment) { $0.$count.withLock { $0 = 1 } }
    await store.receive(.countUpdated(1)) { $0.seen = [1] }
    await store.send(.increment) { $0.$count.withLock { $0 = 2 } }
    await store.receive(.countUpdated(2)) { $0.seen = [1, 2] }
    await store.send(.stop)
    await task.finish()
  }
}
