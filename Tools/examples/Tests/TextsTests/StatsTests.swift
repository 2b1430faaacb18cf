import ComposableArchitecture
import DependenciesTestSupport
import Testing

@testable import Texts

@MainActor
@Suite(.dependencies)
struct StatsTests {
  @Test
  func tabsShareTheirStats() async {
    let store = TestStore(initialState: SharedStateFileStorage.State()) {
      SharedStateFileStorage()
    }
    await store.send(.counter(.incrementButtonTapped)) {
      $0.counter.$stats.withLock { $0.increment() }
    }
    await store.send(.counter(.decrementButtonTapped)) {
      $0.counter.$stats.withLock { $0.decrement() }
    }
    await store.send(.selectTab(.profile)) {
      $0.currentTab = .profile
    }
    #expect(store.state.profile.stats.numberOfCounts == 2)
    await store.send(.profile(.resetStatsButtonTapped)) {
      $0.profile.$stats.withLock { $0 = Stats() }
    }
    #expect(store.state.counter.stats == Stats())
  }

  @Test
  func alert() async {
    let store = TestStore(initialState: SharedStateFileStorage.State()) {
      SharedStateFileStorage()
    }
    await store.send(.counter(.isPrimeButtonTapped)) {
      $0.counter.alert = AlertState {
        TextState("👎 The number 0 is not prime :(")
      }
    }
    await store.send(.counter(.alert(.dismiss))) {
      $0.counter.alert = nil
    }
  }

  @Test
  func notExhaustive() async {
    let store = TestStore(initialState: SharedStateFileStorage.State()) {
      SharedStateFileStorage()
    }
    store.exhaustivity = .off
    for _ in 1...3 { await store.send(\.counter.incrementButtonTapped) }
    await store.send(\.counter.isPrimeButtonTapped) {
      $0.counter.alert = AlertState { TextState("👍 The number 3 is prime!") }
    }
    store.assert {
      $0.profile.$stats.withLock { $0 = $0 }
    }
    #expect(store.state.profile.stats.maxCount == 3)
  }
}
