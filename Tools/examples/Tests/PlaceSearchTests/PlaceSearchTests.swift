import ComposableArchitecture
import DependenciesTestSupport
import Retrace
import TemporaryLogs
import Testing

@testable import PlaceSearch

@MainActor
@Suite
struct PlaceSearchTests {
  let clock = TestClock()
  let brooklyn = Place(id: 1, name: "Brooklyn")
  let brunswick = Place(id: 2, name: "Brunswick")

  @Test
  func searchesAfterAPause() async {
    let store = self.store {
      $0.placeClient.search = { query in [Place(id: 1, name: "Brooklyn (\(query))")] }
    }
    await store.send(.queryChanged("B")) {
      $0.query = "B"
    }
    await self.clock.advance(by: .milliseconds(200))
    await store.send(.queryChanged("Br")) {
      $0.query = "Br"
    }
    await self.clock.advance(by: .milliseconds(299))
    await self.clock.advance(by: .milliseconds(1))
    await store.receive(\.queryChangeDebounced)
    await store.receive(\.searchResponse.success) {
      $0.results = [Place(id: 1, name: "Brooklyn (Br)")]
    }
  }

  @Test
  func clearingTheQueryCancels() async {
    let store = self.store()
    await store.send(.queryChanged("B")) {
      $0.query = "B"
    }
    await store.send(.queryChanged("")) {
      $0.query = ""
    }
    await self.clock.run()
  }

  @Test
  func failure() async {
    let store = self.store {
      $0.placeClient.search = { _ in throw SearchFailure() }
    }
    await store.send(.queryChanged("B")) {
      $0.query = "B"
    }
    await self.clock.advance(by: .milliseconds(300))
    await store.receive(\.queryChangeDebounced)
    await store.receive(\.searchResponse.failure) {
      $0.errorMessage = "The server does not answer."
    }
    await store.send(.queryChanged("")) {
      $0.query = ""
      $0.errorMessage = nil
    }
  }

  @Test
  func theSecondTapCancelsTheFirst() async {
    let store = self.store {
      $0.placeClient.forecast = { [clock] place in
        try await clock.sleep(for: .seconds(place.id == 1 ? 5 : 1))
        return Forecast(degrees: [Double(place.id)])
      }
    }
    await store.send(.placeTapped(self.brooklyn)) {
      $0.loadingPlace = 1
    }
    await self.clock.advance(by: .seconds(2))
    await store.send(.placeTapped(self.brunswick)) {
      $0.loadingPlace = 2
    }
    await self.clock.advance(by: .seconds(1))
    await store.receive(\.forecastResponse) {
      $0.forecast = Forecast(degrees: [2])
      $0.loadingPlace = nil
    }
    await self.clock.run()
  }

  @Test
  func notExhaustive() async {
    let store = self.store {
      $0.placeClient = .liveValue
      $0.continuousClock = ImmediateClock()
    }
    store.exhaustivity = .off
    await store.send(\.queryChanged, "Bro")
    await store.receive(\.searchResponse.success)
    #expect(store.state.results == [self.brooklyn])
    await store.send(\.placeTapped, self.brooklyn)
    await store.finish()
    await store.skipReceivedActions()
    #expect(store.state.forecast == Forecast(degrees: [20, 21.5, 1]))
  }

  @Test
  func recordedAndReplayed() async throws {
    let log = TemporaryLog()
    let recording = try Recording(at: log.path)
    let store = Store(initialState: PlaceSearch.State()) {
      PlaceSearch()
        .recorded(by: recording)
    } withDependencies: {
      $0.continuousClock = ImmediateClock()
      $0.placeClient = .liveValue
    }
    await store.send(.queryChanged("Br")).finish()
    await store.send(.placeTapped(self.brunswick)).finish()
    try recording.close()

    let states = try log.states { PlaceSearch() }
    #expect(states.last == store.withState { $0 })
    #expect(states.last?.results == [self.brooklyn, self.brunswick])
    #expect(states.last?.forecast == Forecast(degrees: [20, 21.5, 2]))
  }

  /// A test store can be recorded as well: its log shows how a test failed.
  @Test
  func aTestStoreRecordedAndReplayed() async throws {
    let log = TemporaryLog()
    let recording = try Recording(at: log.path)
    let store = TestStore(initialState: PlaceSearch.State()) {
      PlaceSearch()
        .recorded(by: recording)
    } withDependencies: {
      $0.continuousClock = self.clock
      $0.placeClient = .liveValue
    }
    await store.send(.queryChanged("Bru")) {
      $0.query = "Bru"
    }
    await self.clock.advance(by: .milliseconds(300))
    await store.receive(\.queryChangeDebounced)
    await store.receive(\.searchResponse.success, [self.brunswick]) {
      $0.results = [self.brunswick]
    }
    try recording.close()
    #expect(try log.states { PlaceSearch() }.last == store.state)
  }

  /// What is behind `any Error` is in the log as its type and its text.
  @Test
  func anErrorOfAnyTypeIsReplayed() async throws {
    let log = TemporaryLog()
    let recording = try Recording(at: log.path)
    let store = Store(initialState: PlaceSearch.State()) {
      PlaceSearch()
        .recorded(by: recording)
    } withDependencies: {
      $0.continuousClock = ImmediateClock()
      $0.placeClient.search = { _ in throw SearchFailure() }
    }
    await store.send(.queryChanged("Br")).finish()
    try recording.close()
    #expect(store.errorMessage == "The server does not answer.")

    let states = try log.states { PlaceSearch() }
    #expect(states.count == 4)
    #expect(states.last == store.state)
  }

  private func store(
    _ dependencies: (inout DependencyValues) -> Void = { _ in }
  ) -> TestStoreOf<PlaceSearch> {
    TestStore(initialState: PlaceSearch.State()) {
      PlaceSearch()
    } withDependencies: {
      $0.continuousClock = self.clock
      dependencies(&$0)
    }
  }
}
