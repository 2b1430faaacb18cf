import ComposableArchitecture
import IssueReporting
import TestSupport
import Testing

private enum CancelID { case work }

@Reducer
private struct Worker {
  struct State: Equatable, Identifiable {
    var id = 0
    var count = 0
  }
  enum Action: Equatable { case start, done, cancel }
  let clock: TestClock<Duration>

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .start:
        return .run { send in
          try await clock.sleep(for: .seconds(1))
          await send(.done)
        }
        .cancellable(id: CancelID.work, cancelInFlight: true)
      case .done:
        state.count += 1
        return .none
      case .cancel:
        return .cancel(id: CancelID.work)
      }
    }
  }
}

/// One child twice by plain `Scope`, and rows.
@Reducer
private struct Workers {
  struct State: Equatable {
    var left = Worker.State()
    var right = Worker.State()
    var optional: Worker.State? = Worker.State()
    var rows: IdentifiedArrayOf<Worker.State> = [Worker.State(id: 7), Worker.State(id: 8)]
    var count = 0
  }
  enum Action: Equatable {
    case left(Worker.Action)
    case right(Worker.Action)
    case optional(Worker.Action)
    case rows(IdentifiedActionOf<Worker>)
    case start
    case done
    case swap
  }
  let clock: TestClock<Duration>

  var body: some ReducerOf<Self> {
    Scope(state: \.left, action: \.left) { Worker(clock: clock) }
    Scope(state: \.right, action: \.right) { Worker(clock: clock) }
    Reduce { state, action in
      switch action {
      case .start:
        return .run { send in
          try await clock.sleep(for: .seconds(1))
          await send(.done)
        }
        .cancellable(id: CancelID.work)
      case .done: state.count += 1
      case .swap: state.rows.swapAt(0, 1)
      default: break
      }
      return .none
    }
    .ifLet(\.optional, action: \.optional) { Worker(clock: clock) }
    .forEach(\.rows, action: \.rows) { Worker(clock: clock) }
  }
}

/// Whose effects a cancellation reaches, and what is left of those that ended.
@MainActor
@Suite(.mainSerialExecutor)
struct CancellationTests {
  private let clock = TestClock()

  private func makeStore() -> StoreOf<Workers> {
    Store(initialState: Workers.State()) { Workers(clock: clock) }
  }

  private func run(_ store: StoreOf<Workers>, _ actions: Workers.Action...) async {
    let tasks = actions.map { store.send($0) }
    await settle()
    await clock.advance(by: .seconds(1))
    for task in tasks { await task.finish() }
  }

  @Test func anotherRootStoresEffectsGoOn() async {
    let stores = (0..<2).map { _ in
      Store(initialState: Worker.State()) { Worker(clock: clock) }
    }
    let tasks = stores.map { $0.send(.start) }
    await settle()
    stores[1].send(.cancel)
    await clock.advance(by: .seconds(1))
    for task in tasks { await task.finish() }
    #expect(stores.map(\.now.count) == [1, 0])
  }

  /// Features that are embedded by `Scope` are at their parent's place.
  @Test func scopedChildrenWithOneIDShareIt() async {
    let store = makeStore()
    await run(store, .left(.start), .right(.start))
    #expect(store.now.left.count == 0)
    #expect(store.now.right.count == 1)
  }

  @Test func rowsWithOneIDDoNotShareIt() async {
    let store = makeStore()
    await run(
      store, .rows(.element(id: 7, action: .start)), .rows(.element(id: 8, action: .start)))
    #expect(store.now.rows.map(\.count) == [1, 1])
  }

  @Test func aChildDoesNotCancelItsParent() async {
    let store = makeStore()
    let task = store.send(.start)
    await settle()
    store.send(.optional(.cancel))
    store.send(.rows(.element(id: 7, action: .cancel)))
    await clock.advance(by: .seconds(1))
    await task.finish()
    #expect(store.now.count == 1)
  }

  @Test func aRowsEffectFollowsItsIDThroughAMove() async {
    let store = makeStore()
    let task = store.send(.rows(.element(id: 7, action: .start)))
    await settle()
    store.send(.swap)
    await clock.advance(by: .seconds(1))
    await task.finish()
    #expect(store.now.rows.map(\.id) == [8, 7])
    #expect(store.now.rows.map(\.count) == [0, 1])
  }

  /// An id lives as long as an entry of it, and what an effect captured as long as the effect.
  @Test func endedEffectsLeaveNothingBehind() async {
    struct ID: Hashable, Sendable {
      let counted: Counted
      static func == (lhs: Self, rhs: Self) -> Bool { true }
      func hash(into hasher: inout Hasher) {}
    }
    let ids = LockIsolated(0)
    let captures = LockIsolated(0)
    let store = Store<Int, Int>(initialState: 0) {
      Reduce { _, action in
        let id = ID(counted: Counted(ids))
        let counted = Counted(captures)
        let work: Effect<Int> = .run { _ in
          defer { withExtendedLifetime(counted) {} }
          try await Task.never()
        }
        switch action {
        case 0:
          return work.cancellable(id: id, cancelInFlight: true)
        case 1:
          return .merge(work.cancellable(id: id), work.cancellable(id: id), .cancel(id: id))
        case 2:
          return .concatenate(
            .run { _ in withExtendedLifetime(counted) {} }
              .cancellable(id: id).cancellable(id: id, cancelInFlight: true),
            .cancel(id: id))
        case 3:
          return .merge(
            .run { _ in withExtendedLifetime(counted) {} }.cancellable(id: id),
            .cancel(id: id), .cancel(id: id))
        default:
          return .cancel(id: id)
        }
      }
    }
    for round in 0..<40 {
      store.send(round % 4)
      if round % 3 == 0 { await settle() }
    }
    store.send(9)
    await settle()
    #expect(ids.value == 0)
    store.send(0)
    await settle()
    #expect(ids.value == 1)
    #expect(captures.value == 1)
    store.send(9)
    await turn { ids.value == 0 && captures.value == 0 }
    #expect(ids.value == 0)
    #expect(captures.value == 0)
  }

  @Test func aCancelledEffectSendsNothingMore() async {
    let store = Store<[Int], Int>(initialState: []) {
      Reduce { state, action in
        state.append(action)
        guard action == 0 else { return .none }
        return .run { send in
          try? await Task.never()
          await send(1)
        }
      }
    }
    let task = store.send(0)
    await settle()
    task.cancel()
    await task.finish()
    #expect(store.now == [0])
  }

  @Test func cancellationErrorsAreNoIssues() async {
    let store = Store<Int, Int>(initialState: 0) {
      Reduce { _, _ in .run { _ in throw CancellationError() } }
    }
    let issues = await issues { await store.send(0).finish() }
    #expect(issues.all == [])
  }

  @Test func anErrorNamesFileAndLine() async {
    struct Broken: Error {}
    let line = #line + 2
    let store = Store<Int, Int>(initialState: 0) {
      Reduce { _, _ in .run { _ in throw Broken() } }
    }
    let issues = await issues { await store.send(0).finish() }
    #expect(
      issues.firstLines == [
        """
        An "Effect.run" returned from "ReportedBugsTests/CancellationTests.swift:\(line)" threw \
        an unhandled error. …
        """
      ])
    #expect(issues.all.first?.contains("Broken()") == true)
  }

  @Test func aLateSendNamesTheActionAndTheEffect() async {
    enum Action: Equatable { case start, late }
    let late = LockIsolated<Task<Void, Never>?>(nil)
    let line = #line + 6
    let store = Store<[Action], Action>(initialState: []) {
      Reduce { state, action in
        state.append(action)
        return action == .late
          ? .none
          : .run { send in
            late.setValue(
              Task {
                for _ in 1...200 { await Task.yield() }
                await send(.late)
              })
          }
      }
    }
    let issues = await issues {
      await store.send(.start).finish()
      await late.value?.value
    }
    #expect(store.now == [.start, .late])
    #expect(issues.all.count == 1)
    #expect(issues.firstLines == ["An action was sent from a completed effect. …"])
    #expect(issues.all.first?.contains("Action.late") == true)
    #expect(
      issues.all.first?.contains("ReportedBugsTests/CancellationTests.swift:\(line)") == true)
  }

  @Test func theRootStoreHoldsTheEffectsNotItsChildren() async {
    let hasEnded = LockIsolated(false)
    var root: Store<Int, Int>? = Store(initialState: 0) {
      Reduce { _, _ in
        .run { _ in
          defer { hasEnded.setValue(true) }
          try await Task.never()
        }
      }
    }
    var child: Store<String, Int>? = root?.scope(state: \.description, action: \.self)
    child?.send(1)
    await settle()
    child = nil
    await settle()
    #expect(!hasEnded.value)
    root = nil
    await settle()
    #expect(hasEnded.value)
    #expect(child == nil)
  }
}
