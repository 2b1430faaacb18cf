import ComposableArchitecture
import DependenciesTestSupport
import Foundation
import Retrace
import TemporaryLogs
import Testing

@testable import Texts

@MainActor
@Suite
struct CounterTests {
  @Test
  func numberFactWithFunction() async {
    let store = TestStore(initialState: WithFunction.Feature.State()) {
      WithFunction.Feature(numberFact: { "\($0) is a good number Brent" })
    }

    // The buttons count.
    await store.send(.incrementButtonTapped) {
      $0.count = 1
    }
    await store.send(.decrementButtonTapped) {
      $0.count = 0
    }

    await store.send(.numberFactButtonTapped)

    await store.receive(\.numberFactResponse) {
      $0.numberFact = "0 is a good number Brent"
    }
  }

  @Test
  func numberFactWithDependency() async {
    let store = TestStore(initialState: WithDependency.Feature.State()) {
      WithDependency.Feature()
    } withDependencies: {
      $0.numberFact.fetch = { "\($0) is a good number Brent" }
    }

    await store.send(.incrementButtonTapped) {
      $0.count = 1
    }
    await store.send(.numberFactButtonTapped)
    await store.receive(\.numberFactResponse) {
      $0.numberFact = "1 is a good number Brent"
    }
  }

  @Test
  func withoutDependenciesTheButtonsCount() async {
    let store = TestStore(initialState: WithoutDependencies.Feature.State()) {
      WithoutDependencies.Feature()
    }
    await store.send(.incrementButtonTapped) {
      $0.count = 1
    }
    await store.send(.numberFactResponse("one")) {
      $0.numberFact = "one"
    }
  }

  @Test
  func oneWayFlow() async {
    let store = TestStore(initialState: AppFeature.State()) {
      AppFeature()
    } withDependencies: {
      $0.apiClient.fetchItems = { ["a", "b"] }
    }
    await store.send(.counter(.incrementTapped)) {
      $0.counter.count = 1
    }
    await store.send(.profile(.refreshTapped)) {
      $0.profile.isLoading = true
    }
    await store.receive(\.profile.itemsResponse) {
      $0.profile.isLoading = false
      $0.profile.items = ["a", "b"]
    }
  }

  @Test
  func notExhaustive() async {
    let store = TestStore(initialState: AppFeature.State()) {
      AppFeature()
    } withDependencies: {
      $0.apiClient.fetchItems = { ["a", "b"] }
    }
    store.exhaustivity = .off
    await store.send(\.profile.refreshTapped)
    await store.receive(\.profile.itemsResponse, ["a", "b"])
    await store.send(\.counter.decrementTapped) {
      $0.counter.count = -1
    }
    #expect(store.state.profile.items == ["a", "b"])
  }

  @Test
  func scopedStores() async {
    let store = StoreTree.MyApp.store
    let search = store.scope(state: \.search, action: \.search)
    search.send(.queryChanged("blob"))
    #expect(search.query == "blob")
    #expect(store.search.query == "blob")

    let activity = store.scope(\.activity, action: \.activity)
    activity.send(.add("first"))
    #expect(store.activity.lines == ["first"])

    let profile: StoreOf<StoreTree.Profile> = store.scope(state: \.profile, action: \.profile)
    let task = profile.send(.task)
    await task.finish()
    #expect(!task.isCancelled)
    #expect(store.profile.seenAt == Date(timeIntervalSince1970: 0))
  }

  @Test
  func observation() {
    let store = Store(initialState: WithFunction.Feature.State()) {
      WithFunction.Feature(numberFact: { "\($0)" })
    }
    let changes = LockIsolated(0)
    withPerceptionTracking {
      _ = store.count
    } onChange: {
      changes.withValue { $0 += 1 }
    }
    store.send(.numberFactResponse("other"))
    #expect(changes.value == 0)
    store.send(.incrementButtonTapped)
    #expect(changes.value == 1)
  }

  @Test
  func recordedAndReplayed() async throws {
    let log = TemporaryLog()
    let recording = try Recording(at: log.path)
    let store = Store(initialState: AppFeature.State()) {
      AppFeature()
        .recorded(by: recording)
    } withDependencies: {
      $0.apiClient.fetchItems = { ["a", "b"] }
    }
    store.send(.counter(.incrementTapped))
    await store.send(.profile(.refreshTapped)).finish()
    store.send(.counter(.incrementTapped))
    try recording.close()

    let states = try log.states { AppFeature() }
    #expect(states.count == 5)
    #expect(states[2].profile.isLoading)
    #expect(states.last == store.state)
  }

  @Test
  func numberFactRecordedAndReplayed() async throws {
    let log = TemporaryLog()
    let recording = try Recording(at: log.path)
    let store = Store(initialState: WithFunction.Feature.State()) {
      WithFunction.Feature(numberFact: { "\($0) is a good number Brent" })
        .recorded(by: recording)
    }
    store.send(.incrementButtonTapped)
    await store.send(.numberFactButtonTapped).finish()
    try recording.close()

    let states = try log.states { WithFunction.Feature(numberFact: { _ in "not asked again" }) }
    #expect(states.map(\.count) == [0, 1, 1, 1])
    #expect(states.last?.numberFact == "1 is a good number Brent")
  }
}
