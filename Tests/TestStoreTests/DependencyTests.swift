import ComposableArchitecture
import Foundation
import TestSupport
import Testing

@Reducer
private struct Notes {
  struct Note: Equatable, Identifiable {
    var id: UUID
    var date: Date
  }
  struct State: Equatable {
    var notes: IdentifiedArrayOf<Note> = []
    var zone = ""
  }
  enum Action: Equatable { case add, addLater, added(Note), zone }
  @Dependency(\.uuid) var uuid
  @Dependency(\.date.now) var now
  @Dependency(\.timeZone) var timeZone

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .add:
        state.notes.append(Note(id: uuid(), date: now))
        return .none
      case .addLater:
        return .run { send in await send(.added(Note(id: uuid(), date: now))) }
      case .added(let note):
        state.notes.append(note)
        return .none
      case .zone:
        state.zone = timeZone.identifier
        return .none
      }
    }
  }
}

@Suite(.mainSerialExecutor) @MainActor
struct DependencyTests {
  private let start = Date(timeIntervalSince1970: 0)

  private func makeStore() -> TestStoreOf<Notes> {
    TestStore(initialState: Notes.State()) {
      Notes()
    } withDependencies: {
      $0.uuid = .incrementing
      $0.date = .constant(self.start)
    }
  }

  @Test func inReducersAndEffects() async {
    let store = self.makeStore()
    await store.send(.add) { $0.notes = [Notes.Note(id: UUID(0), date: self.start)] }
    await store.send(.addLater)
    await store.receive(\.added) { $0.notes.append(Notes.Note(id: UUID(1), date: self.start)) }
  }

  /// A closure that asserts reads the feature's dependencies, not the test's.
  @Test func inAssertions() async {
    let store = self.makeStore()
    await store.send(.add) {
      @Dependency(\.date.now) var now
      @Dependency(\.uuid) var uuid
      #expect(uuid() == UUID(1))
      $0.notes = [Notes.Note(id: UUID(0), date: now)]
    }
    await store.send(.add) { $0.notes.append(Notes.Note(id: UUID(2), date: self.start)) }
  }

  @Test func changedLater() async {
    let store = self.makeStore()
    let later = Date(timeIntervalSince1970: 1)
    store.dependencies.date = .constant(later)
    await store.send(.add) { $0.notes = [Notes.Note(id: UUID(0), date: later)] }
    #expect(store.dependencies.date.now == later)
  }

  @Test func changedForAWhile() async throws {
    let store = self.makeStore()
    let zone = try #require(TimeZone(identifier: "Asia/Seoul"))
    store.dependencies.timeZone = try #require(TimeZone(identifier: "Europe/Berlin"))
    await store.withDependencies {
      $0.timeZone = zone
    } operation: {
      await store.send(.zone) { $0.zone = "Asia/Seoul" }
    }
    let identifier = store.withDependencies {
      $0.timeZone = zone
    } operation: {
      store.dependencies.timeZone.identifier
    }
    #expect(identifier == "Asia/Seoul")
    await store.send(.zone) { $0.zone = "Europe/Berlin" }
  }

  @Test func holdForTheInitialStateAndTheReducer() {
    struct State: Equatable {
      var id: UUID
      init() {
        @Dependency(\.uuid) var uuid
        self.id = uuid()
      }
    }
    let made = LockIsolated<UUID?>(nil)
    let store = TestStore(initialState: State()) {
      @Dependency(\.uuid) var uuid
      let _ = made.setValue(uuid())
      EmptyReducer<State, Never>()
    } withDependencies: {
      $0.uuid = .incrementing
    }
    #expect(store.state.id == UUID(0))
    #expect(made.value == UUID(1))
  }

  @Test func theTestsOwnDependencies() async {
    let store = withDependencies {
      $0.uuid = .constant(UUID(7))
      $0.date = .constant(self.start)
    } operation: {
      TestStore(initialState: Notes.State()) { Notes() }
    }
    await store.send(.add) { $0.notes = [Notes.Note(id: UUID(7), date: self.start)] }
  }

  @Test func oneThatIsNotOverridden() async {
    let issues = await issues {
      let store = self.makeStore()
      store.dependencies.uuid = DependencyValues.test.uuid
      store.exhaustivity = .off
      await store.send(.add)
    }
    #expect(issues.firstLines == [#"Unimplemented: @Dependency(\.uuid)"#])
  }

  /// Work that a reducer starts by itself is done when the action is.
  @Test func workOutsideOfEffects() async {
    struct Client: Sendable {
      var track: @Sendable (String) async -> Void
      func trackTwice(_ event: String) async {
        await self.track(event)
        await self.track(event)
      }
    }
    let events = LockIsolated<[String]>([])
    let client = Client(track: { event in events.withValue { $0.append(event) } })
    let store = TestStore(initialState: 0) {
      Reduce<Int, String> { _, event in
        @Dependency(\.fireAndForget) var fireAndForget
        Task { await fireAndForget { await client.trackTwice(event) } }
        return .none
      }
    }
    await store.send("tapped")
    #expect(events.value == ["tapped", "tapped"])
  }

  @Test func theMainSerialExecutor() {
    #expect(uncheckedUseMainSerialExecutor)
    let store = self.makeStore()
    #expect(store.useMainSerialExecutor)
    store.useMainSerialExecutor = false
    // The suite still asks for it.
    #expect(store.useMainSerialExecutor)
  }
}

@MainActor
struct ExecutorTests {
  private func makeStore() -> TestStore<Int, Int> {
    TestStore(initialState: 0) { EmptyReducer() }
  }

  // Without a suspension, so that no other test has its turn in between.
  @Test func everyStoreEndsItsOwnClaim() {
    let before = MainSerialExecutor.scopes
    var first: TestStore<Int, Int>? = self.makeStore()
    let second = self.makeStore()
    #expect(MainSerialExecutor.scopes == before + 2)
    #expect(first?.useMainSerialExecutor == true)
    first = nil
    #expect(MainSerialExecutor.scopes == before + 1)
    #expect(second.useMainSerialExecutor)
    second.useMainSerialExecutor = true
    #expect(MainSerialExecutor.scopes == before + 1)
    second.useMainSerialExecutor = false
    #expect(MainSerialExecutor.scopes == before)
  }
}
