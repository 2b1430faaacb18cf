import ComposableArchitecture
import IssueReporting
import TestSupport
import Testing

private struct Search: Reducer {
  struct State: Equatable {
    var calls = 0
    var results: [String] = []
  }
  enum Action {
    case query(String)
    case plain(String)
    case chain(String)
    case results(String)
    case cancel
  }
  enum CancelID { case search }
  let calls: LockIsolated<[String]>
  @Dependency(\.continuousClock) var clock

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      switch action {
      case .query(let query):
        return .run { [calls] send in
          calls.withValue { $0.append(query) }
          await send(.results(query))
        }
        .debounce(id: CancelID.search, for: .milliseconds(300), scheduler: self.clock)
      case .plain(let text):
        return .send(.results(text))
          .debounce(id: CancelID.search, for: .seconds(1), scheduler: self.clock, options: nil)
      case .chain(let text):
        return .concatenate(
          .run { [calls] _ in calls.withValue { $0.append(text) } },
          .run { [calls] _ in calls.withValue { $0.append(text + "2") } },
          .merge(.send(.results("a")), .send(.results("b")))
        )
        .debounce(id: CancelID.search, for: .seconds(1), clock: self.clock)
      case .results(let results):
        state.results.append(results)
        return .none
      case .cancel:
        return .cancel(id: CancelID.search)
      }
    }
  }
}

@MainActor
@Suite(.mainSerialExecutor) struct DebounceTests {
  private let clock = TestClock()
  private let calls = LockIsolated<[String]>([])

  private func makeStore() -> StoreOf<Search> {
    Store(initialState: Search.State()) {
      Search(calls: self.calls)
    } withDependencies: {
      $0.continuousClock = self.clock
    }
  }

  @Test func onlyTheLastRuns() async {
    let store = makeStore()
    store.send(.query("a"))
    await self.clock.advance(by: .milliseconds(200))
    store.send(.query("ab"))
    await self.clock.advance(by: .milliseconds(200))
    store.send(.query("abc"))
    await self.clock.advance(by: .milliseconds(299))
    #expect(self.calls.value == [])
    await self.clock.advance(by: .milliseconds(1))
    await turn { !store.withState { $0.results.isEmpty } }
    #expect(self.calls.value == ["abc"])
    #expect(store.withState { $0.results } == ["abc"])
    await self.clock.run()
    #expect(store.withState { $0.results } == ["abc"])
  }

  @Test func quietTimesInBetween() async {
    let store = makeStore()
    for query in ["a", "b"] {
      let task = store.send(.query(query))
      await self.clock.advance(by: .milliseconds(300))
      await task.finish()
    }
    #expect(store.withState { $0.results } == ["a", "b"])
  }

  @Test func actionsAndChains() async {
    let store = makeStore()
    store.send(.plain("x"))
    await self.clock.advance(by: .seconds(1))
    await turn { store.withState { $0.results == ["x"] } }
    #expect(store.withState { $0.results } == ["x"])
    let task = store.send(.chain("y"))
    await self.clock.advance(by: .seconds(1))
    await task.finish()
    #expect(store.withState { $0.results } == ["x", "a", "b"])
    #expect(self.calls.value == ["y", "y2"])
  }

  @Test func cancellationLeavesNothingToRun() async {
    let store = makeStore()
    let task = store.send(.chain("y"))
    await settle()
    store.send(.cancel)
    await task.finish()
    await self.clock.advance(by: .seconds(2))
    #expect(self.calls.value == [])
    #expect(store.withState { $0.results } == [])
  }

  @Test func nothingStaysNothing() async {
    let store = makeStore()
    let effect: EffectOf<Search> = Effect.none
      .debounce(id: "none", for: .seconds(1), scheduler: self.clock)
    var count = 0
    for await _ in _EffectPublisher(effect) { count += 1 }
    #expect(count == 0)
    _ = store
  }

  @Test func clockThatFails() async {
    struct Failing: Clock {
      struct Failure: Error {}
      var now: ContinuousClock.Instant { .now }
      var minimumResolution: Duration { .zero }
      func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        throw Failure()
      }
    }
    let issues = Issues()
    await withIssueReporters([issues]) {
      let effect = Effect.send(1)
        .debounce(id: "clockThatFails", for: .seconds(1), scheduler: Failing())
      for await _ in _EffectPublisher(effect) {}
    }
    #expect(issues.all.count == 1)
    #expect(issues.all.first?.contains("Failure()") == true)
  }
}
