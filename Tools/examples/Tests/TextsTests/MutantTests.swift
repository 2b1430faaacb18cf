import ComposableArchitecture
import Foundation
import Retrace
import TemporaryLogs
import Testing

@testable import Texts

/// Features of the texts that were changed since they were recorded.
@MainActor
@Suite
struct MutantTests {
  private func check(
    _ divergence: Divergence?, _ kind: Divergence.Kind, _ action: Int, _ path: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let comment = Comment(rawValue: divergence?.description ?? "no divergence")
    #expect(divergence?.kind == kind, comment, sourceLocation: sourceLocation)
    #expect(divergence?.action == action, comment, sourceLocation: sourceLocation)
    #expect(divergence?.path == path, comment, sourceLocation: sourceLocation)
  }

  @Test
  func application() async throws {
    let session = try await RecordedSession(AppFeature.State()) {
      AppFeature()
    } withDependencies: {
      $0.apiClient.fetchItems = { ["a", "b"] }
    } run: { store in
      store.send(.counter(.incrementTapped))
      await store.send(.profile(.refreshTapped)).finish()
      store.send(.counter(.decrementTapped))
    }
    func divergence(
      _ change:
        @escaping (
          inout AppFeature.State, AppFeature.Action,
          (inout AppFeature.State, AppFeature.Action) -> Effect<AppFeature.Action>
        ) -> Effect<AppFeature.Action>
    ) throws -> Divergence? {
      try session.divergence { AppFeature().changed(change) }
    }
    #expect(try divergence { state, action, original in original(&state, action) } == nil)

    let arithmetic = try divergence { state, action, original in
      if action.is(\.counter.decrementTapped) { state.counter.count -= 1 }
      return original(&state, action)
    }
    self.check(arithmetic, .state, 4, "counter.count")
    #expect(
      arithmetic?.description
        == "The replay differs from the recording after action 4: 'counter.count' was 0, and is -1 "
        + "now. The states after action 3 agreed.")

    let droppedBranch = try divergence { state, action, original in
      action.is(\.profile.itemsResponse) ? .none : original(&state, action)
    }
    self.check(droppedBranch, .state, 3, "profile.items[0]")

    let fewerEffects = try divergence { state, action, original in
      let effect = original(&state, action)
      return action.is(\.profile.refreshTapped) ? .none : effect
    }
    self.check(fewerEffects, .effect, 2, "")

    let moreEffects = try divergence { state, action, original in
      let effect = original(&state, action)
      return action.is(\.counter) ? .merge(effect, .run(name: "save") { _ in }) : effect
    }
    self.check(moreEffects, .effect, 1, "save")

    let renamedEffect = try divergence { state, action, original in
      let effect = original(&state, action)
      return action.is(\.profile.refreshTapped) ? .run(name: "refresh") { _ in } : effect
    }
    self.check(renamedEffect, .effect, 2, "refresh")

    let moreReads = try divergence { state, action, original in
      @Dependency(\.date.now) var now
      if action.is(\.counter.decrementTapped) { _ = now }
      return original(&state, action)
    }
    self.check(moreReads, .read, 4, "date")
  }

  @Test
  func todos() async throws {
    let session = try await RecordedSession(TodosFeature.State()) {
      TodosFeature()
    } run: { store in
      store.send(.addButtonTapped)
      store.send(.todoTapped(id: store.todos[0].id))
      store.send(.form(.presented(.titleChanged("Milk"))))
      store.send(.form(.dismiss))
    }
    #expect(try session.differences { TodosFeature() } == [])

    let moreReads = try session.divergence {
      TodosFeature().changed { state, action, original in
        @Dependency(\.uuid) var uuid
        if action.is(\.todoTapped) { _ = uuid() }
        return original(&state, action)
      }
    }
    self.check(moreReads, .read, 2, "uuid")

    let otherRead = try session.divergence {
      TodosFeature().changed { state, action, original in
        @Dependency(\.date.now) var now
        guard action.is(\.addButtonTapped) else { return original(&state, action) }
        let date = now
        _ = state.$todos.withLock { $0.append(Todo(id: UUID(0), title: "\(date)")) }
        return .none
      }
    }
    self.check(otherRead, .read, 1, "date")

    let otherText = try session.divergence {
      TodosFeature().changed { state, action, original in
        guard case .form(.presented(.titleChanged(let title))) = action else {
          return original(&state, action)
        }
        return original(&state, .form(.presented(.titleChanged(title.uppercased()))))
      }
    }
    self.check(otherText, .state, 3, "todos[0].title")

    let fewerWrites = try session.divergence {
      TodosFeature().changed { state, action, original in
        action.is(\.form.presented) ? .none : original(&state, action)
      }
    }
    self.check(fewerWrites, .shared, 3, ".fileStorage(<documents>/todos.json)")
  }

  @Test
  func stats() async throws {
    let session = try await RecordedSession(SharedStateFileStorage.State()) {
      SharedStateFileStorage()
    } run: { store in
      store.send(.counter(.incrementButtonTapped))
      store.send(.counter(.incrementButtonTapped))
      store.send(.counter(.isPrimeButtonTapped))
      store.send(.profile(.resetStatsButtonTapped))
      store.send(.counter(.decrementButtonTapped))
    }
    #expect(try session.differences { SharedStateFileStorage() } == [])

    let arithmetic = try session.divergence {
      SharedStateFileStorage().changed { state, action, original in
        guard action.is(\.counter.decrementButtonTapped) else { return original(&state, action) }
        state.counter.$stats.withLock { $0.increment() }
        return .none
      }
    }
    self.check(arithmetic, .state, 5, "counter.stats.count")

    let moreWrites = try session.divergence {
      SharedStateFileStorage().changed { state, action, original in
        if action.is(\.counter.isPrimeButtonTapped) {
          state.counter.$stats.withLock { $0.increment() }
        }
        return original(&state, action)
      }
    }
    self.check(moreWrites, .shared, 3, ".fileStorage(<documents>/stats.json)")

    let fewerReads = try session.divergence {
      SharedStateFileStorage().changed { state, action, original in
        guard action.is(\.counter.isPrimeButtonTapped) else { return original(&state, action) }
        state.counter.alert = AlertState { TextState("It is prime") }
        return .none
      }
    }
    self.check(fewerReads, .shared, 3, ".fileStorage(<documents>/stats.json)")

    let otherTab = try session.divergence {
      SharedStateFileStorage().changed { state, action, original in
        if action.is(\.profile) { state.currentTab = .profile }
        return original(&state, action)
      }
    }
    self.check(otherTab, .state, 4, "currentTab")
  }

  /// Two shared values, changed one after the other.
  @Test
  func orderOfSharedWrites() async throws {
    func feature(isReversed: Bool) -> some ReducerOf<ParentAndChild> {
      ParentAndChild(isReversed: isReversed)
    }
    let session = try await RecordedSession(ParentAndChild.State()) {
      feature(isReversed: false)
    } run: { store in
      store.send(.resetButtonTapped)
      store.send(.bothButtonsTapped)
    }
    #expect(try session.differences { feature(isReversed: false) } == [])
    let order = try session.divergence { feature(isReversed: true) }
    self.check(order, .shared, 2, ".inMemory(\"count\")")
  }

  @Reducer
  struct ParentAndChild {
    @ObservableState
    struct State: Equatable {
      var stored = Feature1.State()
      var inMemory = InMemoryShared.ChildFeature.State()
    }
    enum Action {
      case bothButtonsTapped
      case resetButtonTapped
    }
    var isReversed = false

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        guard action.is(\.bothButtonsTapped) else { return .none }
        if self.isReversed { state.inMemory.$count.withLock { $0 += 1 } }
        state.stored.$count.withLock { $0 += 1 }
        if !self.isReversed { state.inMemory.$count.withLock { $0 += 1 } }
        return .none
      }
    }
  }
}
