import ComposableArchitecture
import Foundation
import Retrace
import TemporaryLogs
import Testing

@testable import Texts

/// Every feature of the texts, recorded and replayed.
@MainActor
@Suite
struct ReplayTests {
  /// Sends actions one after another, and compares the states with those of a replay.
  private func check<Feature: Reducer>(
    _ state: @autoclosure () -> Feature.State, _ feature: @autoclosure () -> Feature,
    _ actions: [Feature.Action], sourceLocation: SourceLocation = #_sourceLocation,
    withDependencies prepare: (inout DependencyValues) -> Void = { _ in }
  ) async throws {
    let session = try await RecordedSession(
      state(), feature: feature, withDependencies: prepare
    ) { store in
      for action in actions { await store.send(action).finish() }
    }
    let differences = try session.differences { feature() }
    #expect(differences == [], sourceLocation: sourceLocation)
    #expect(session.texts.count > actions.count, sourceLocation: sourceLocation)
  }

  @Test
  func oneWayFlow() async throws {
    try await self.check(
      CounterFeature.State(), CounterFeature(),
      [.incrementTapped, .decrementTapped, .decrementTapped])
    try await self.check(
      ProfileFeature.State(), ProfileFeature(), [.refreshTapped, .refreshTapped]
    ) { $0.apiClient.fetchItems = { ["a", "b"] } }
    try await self.check(
      AppFeature.State(), AppFeature(),
      [.counter(.incrementTapped), .profile(.refreshTapped), .counter(.decrementTapped)]
    ) { $0.apiClient.fetchItems = { ["a", "b"] } }
  }

  @Test
  func numberFacts() async throws {
    try await self.check(
      WithoutDependencies.Feature.State(), WithoutDependencies.Feature(),
      [.incrementButtonTapped, .numberFactResponse("one"), .decrementButtonTapped])
    try await self.check(
      WithFunction.Feature.State(), WithFunction.Feature { "\($0) is a good number Brent" },
      [.incrementButtonTapped, .numberFactButtonTapped, .decrementButtonTapped])
    try await self.check(
      WithDependency.Feature.State(), WithDependency.Feature(),
      [.incrementButtonTapped, .numberFactButtonTapped, .decrementButtonTapped]
    ) { $0.numberFact.fetch = { "\($0) is a good number Brent" } }
  }

  /// An effect that fails sends nothing, and is in the log all the same.
  @Test
  func aNumberFactThatIsNotThere() async throws {
    struct Offline: Error {}
    let session = try await RecordedSession(WithDependency.Feature.State()) {
      WithDependency.Feature()
    } withDependencies: {
      $0.numberFact.fetch = { _ in throw Offline() }
    } run: { store in
      await withKnownIssue {
        await store.send(.numberFactButtonTapped).finish()
      }
      store.send(.incrementButtonTapped)
    }
    #expect(try session.differences { WithDependency.Feature() } == [])
    #expect(session.texts.count == 3)
  }

  @Test
  func storeTree() async throws {
    try await self.check(
      StoreTree.AppFeature.State(), StoreTree.AppFeature(),
      [.search(.queryChanged("blob")), .activity(.add("first")), .profile(.task)])
    try await self.check(StoreTree.Activity.State(), StoreTree.Activity(), [.add("a"), .add("b")])
    try await self.check(StoreTree.Search.State(), StoreTree.Search(), [.queryChanged("q")])
    try await self.check(StoreTree.Profile.State(), StoreTree.Profile(), [.task, .task])
  }

  // MARK: - Shared state

  @Test
  func explicitlyShared() async throws {
    try await self.check(
      ExplicitlyShared.ParentFeature.State(count: Shared(value: 3)),
      ExplicitlyShared.ParentFeature(),
      [.presentButtonTapped, .child(.incrementButtonTapped), .child(.incrementButtonTapped)])
    try await self.check(
      ExplicitlyShared.ChildFeature.State(count: Shared(value: 3)),
      ExplicitlyShared.ChildFeature(), [.incrementButtonTapped])
    try await self.check(
      Feature.State(count: Shared(value: 0)), Feature(),
      [.incrementButtonTapped, .incrementButtonTapped])
  }

  @Test
  func derivedFromAShared() async throws {
    let signUp = try await RecordedSession(
      DerivedShared.SignUpFeature.State(signUpData: Shared(value: DerivedShared.SignUpData()))
    ) {
      DerivedShared.SignUpFeature()
    } run: { store in
      for number in ["555", "556"] {
        store.send(.nextButtonTapped)
        let id = try #require(store.path.ids.last)
        store.send(.path(.element(id: id, action: .numberChanged(number))))
      }
      store.send(.path(.popFrom(id: try #require(store.path.ids.last))))
    }
    // Nothing says how the data go to bytes, so the log does not have those of the beginning.
    let differences = try signUp.differences(
      initialState: DerivedShared.SignUpFeature.State(
        signUpData: Shared(value: DerivedShared.SignUpData()))
    ) {
      DerivedShared.SignUpFeature()
    }
    #expect(differences == [])
    try await self.check(
      DerivedShared.PhoneNumberFeature.State(phoneNumber: Shared(value: "")),
      DerivedShared.PhoneNumberFeature(), [.numberChanged("5"), .numberChanged("55")])
  }

  @Test
  func changedInAnEffect() async throws {
    try await self.check(
      SimpleFeature.State(count: Shared(value: 0)), SimpleFeature(),
      [.incrementButtonTapped, .incrementButtonTapped, .incrementButtonTapped])
    try await self.check(
      SharedInResponse.Feature.State(), SharedInResponse.Feature(), [.tap, .tap, .response])
  }

  @Test
  func publisher() async throws {
    let count = Shared(value: 0)
    let session = try await RecordedSession(ObservedShared.Feature.State(count: count)) {
      ObservedShared.Feature()
    } run: { store in
      let task = store.send(.onAppear)
      while store.withState(\.updates).isEmpty { await Task.yield() }
      count.withLock { $0 = 7 }
      while store.withState(\.updates).count < 2 { await Task.yield() }
      task.cancel()
      await task.finish()
      store.send(.countUpdated(8))
    }
    #expect(try session.differences { ObservedShared.Feature() } == [])
    #expect(session.texts.last?.contains("[2]: 8") == true)
  }

  @Test
  func keys() async throws {
    try await self.check(
      InMemoryShared.ChildFeature.State(), InMemoryShared.ChildFeature(),
      [.incrementButtonTapped, .incrementButtonTapped])
    try await self.check(
      ParentFeature.State(), ParentFeature(), [.feature1(.buttonTapped), .feature1(.buttonTapped)])
    try await self.check(Feature1.State(), Feature1(), [.buttonTapped])
    try await self.check(
      SharedStateFileStorage.State(), SharedStateFileStorage(),
      [
        .counter(.incrementButtonTapped), .counter(.incrementButtonTapped),
        .counter(.isPrimeButtonTapped), .counter(.alert(.dismiss)), .selectTab(.profile),
        .counter(.decrementButtonTapped), .profile(.resetStatsButtonTapped),
      ])
    try await self.check(
      CounterTab.State(), CounterTab(), [.decrementButtonTapped, .isPrimeButtonTapped])
    try await self.check(ProfileTab.State(), ProfileTab(), [.resetStatsButtonTapped])
  }

  /// What the storages hold before the store is there is what the first state loads.
  @Test
  func valuesOfAnEarlierRun() async throws {
    let session = try await RecordedSession(ParentFeature.State()) {
      ParentFeature()
    } withDependencies: {
      $0.defaultAppStorage.set(41, forKey: "count")
    } run: { store in
      store.send(.feature1(.buttonTapped))
      // Another part of the program changes the value.
      store.withState(\.feature2.$count).withLock { $0 = 100 }
      store.send(.feature1(.buttonTapped))
      #expect(store.feature1.count == 101)
    }
    #expect(try session.differences { ParentFeature() } == [])
    #expect(session.texts[0].contains("41"))
  }

  @Test
  func elementOfACollection() async throws {
    let session = try await RecordedSession(TodosFeature.State()) {
      TodosFeature()
    } run: { store in
      store.send(.addButtonTapped)
      store.send(.addButtonTapped)
      store.send(.todoTapped(id: try #require(store.todos.ids.last)))
      store.send(.form(.presented(.titleChanged("Milk"))))
      store.send(.form(.dismiss))
      store.send(.todoTapped(id: UUID()))
    }
    #expect(try session.differences { TodosFeature() } == [])
    #expect(session.texts.last?.contains("Milk") == true)
    try await self.check(
      TodoForm.State(todo: Shared(value: Todo(id: UUID()))), TodoForm(), [.titleChanged("Eggs")])
  }

  @Test
  func partOfAStoredValue() async throws {
    try await self.check(
      AccountFeature.State(), AccountFeature(),
      [
        .editNameButtonTapped, .destination(.presented(.editName(.nameChanged("Blob, Jr.")))),
        .destination(.dismiss),
      ])
    try await self.check(
      EditNameFeature.State(name: Shared(value: "")), EditNameFeature(), [.nameChanged("B")])
  }

  @Reducer
  struct Sized {
    @ObservableState
    struct State: Equatable {
      @Shared(.custom("size")) var size = 12
      var seen = 0
    }
    enum Action { case grow, look }
    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .grow: state.$size.withLock { $0 += 1 }
        case .look: state.seen = state.size
        }
        return .none
      }
    }
  }

  @Test
  func keysOfOnesOwn() async throws {
    try await self.check(Sized.State(), Sized(), [.grow, .look, .grow, .look]) {
      $0[Vault.self] = Vault()
    }
    let stored = Vault()
    stored.values.withValue { $0["size"] = 40 }
    try await self.check(Sized.State(), Sized(), [.look, .grow]) { $0[Vault.self] = stored }
  }

  @Reducer
  struct Banner {
    @ObservableState
    struct State: Equatable {
      @SharedReader(.remoteConfig) var config
      var isShown = false
    }
    enum Action { case task }
    var body: some ReducerOf<Self> {
      Reduce { state, _ in
        state.isShown = state.config.showsBanner
        return .none
      }
    }
  }

  /// The value of a key that only reads, of a type that has no form of its own in bytes.
  @Test
  func aKeyThatOnlyReads() async throws {
    let session = try await RecordedSession(Banner.State()) {
      Banner()
    } run: { store in
      store.send(.task)
    }
    let error = #expect(throws: ReplayError.self) { try session.differences { Banner() } }
    #expect(error?.code == .absentValue)
    #expect(error?.message.contains("Values of 'RemoteConfig' have no form in bytes") == true)
  }
}
