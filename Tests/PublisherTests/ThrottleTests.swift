import ComposableArchitecture
import TestSupport
import Testing

private struct Feature: Reducer {
  struct State: Equatable {
    var values: [Int] = []
  }
  enum Action {
    case tap(Int)
    case many([Int])
    case value(Int)
    case cancel
  }
  enum CancelID { case tap }
  var latest: Bool
  @Dependency(\.continuousClock) var clock

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      switch action {
      case .tap(let value):
        return .send(.value(value))
          .throttle(
            id: CancelID.tap, for: .seconds(1), scheduler: self.clock, latest: self.latest)
      case .many(let values):
        return .run { send in
          for value in values { await send(.value(value)) }
        }
        .throttle(id: CancelID.tap, for: .seconds(1), clock: self.clock, latest: self.latest)
      case .value(let value):
        state.values.append(value)
        return .none
      case .cancel:
        return .cancel(id: CancelID.tap)
      }
    }
  }
}

@MainActor
@Suite(.mainSerialExecutor) struct ThrottleTests {
  private let clock = TestClock()

  private func makeStore(latest: Bool) -> StoreOf<Feature> {
    Store(initialState: Feature.State()) {
      Feature(latest: latest)
    } withDependencies: {
      $0.continuousClock = self.clock
    }
  }

  private func values(_ store: StoreOf<Feature>) async -> [Int] {
    await settle()
    return store.withState { $0.values }
  }

  @Test func latestOfAnInterval() async {
    let store = makeStore(latest: true)
    store.send(.tap(1))
    #expect(await values(store) == [1])
    store.send(.tap(2))
    #expect(await values(store) == [1])
    await self.clock.advance(by: .milliseconds(250))
    store.send(.tap(3))
    await self.clock.advance(by: .milliseconds(250))
    store.send(.tap(4))
    await self.clock.advance(by: .milliseconds(499))
    #expect(await values(store) == [1])
    await self.clock.advance(by: .milliseconds(1))
    #expect(await values(store) == [1, 4])
    // The action at the end of an interval begins the next one.
    store.send(.tap(5))
    #expect(await values(store) == [1, 4])
    await self.clock.advance(by: .seconds(1))
    #expect(await values(store) == [1, 4, 5])
  }

  @Test func firstOfAnInterval() async {
    let store = makeStore(latest: false)
    store.send(.tap(1))
    #expect(await values(store) == [1])
    store.send(.tap(2))
    await self.clock.advance(by: .milliseconds(250))
    store.send(.tap(3))
    await self.clock.advance(by: .milliseconds(250))
    store.send(.tap(4))
    await self.clock.advance(by: .milliseconds(500))
    #expect(await values(store) == [1, 2])
    await self.clock.advance(by: .seconds(5))
    #expect(await values(store) == [1, 2])
    store.send(.tap(6))
    #expect(await values(store) == [1, 2, 6])
  }

  @Test func manyActionsOfOneEffect() async {
    let store = makeStore(latest: true)
    let task = store.send(.many([1, 2, 3, 4]))
    #expect(await values(store) == [1])
    await self.clock.advance(by: .seconds(1))
    await task.finish()
    #expect(await values(store) == [1, 4])
  }

  @Test func firstOfManyActionsOfOneEffect() async {
    let store = makeStore(latest: false)
    let task = store.send(.many([1, 2, 3, 4]))
    #expect(await values(store) == [1])
    await self.clock.advance(by: .seconds(1))
    await task.finish()
    #expect(await values(store) == [1, 2])
  }

  @Test func cancelledWaitSendsNothing() async {
    let store = makeStore(latest: true)
    store.send(.tap(1))
    #expect(await values(store) == [1])
    let task = store.send(.tap(2))
    await settle()
    store.send(.cancel)
    await task.finish()
    await self.clock.advance(by: .seconds(2))
    #expect(await values(store) == [1])
    store.send(.tap(3))
    #expect(await values(store) == [1, 3])
  }

  @Test func storesDoNotThrottleEachOther() async {
    let (first, second) = (makeStore(latest: true), makeStore(latest: true))
    first.send(.tap(1))
    second.send(.tap(2))
    #expect(await values(first) == [1])
    #expect(await values(second) == [2])
  }
}
