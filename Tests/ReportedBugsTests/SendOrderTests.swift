import ComposableArchitecture
import IssueReporting
import TestSupport
import Testing

@Reducer
private struct Pair {
  @ObservableState
  struct State: Equatable {
    var a = 0
    var b = 0
  }
  enum Action: Equatable { case tapped, follow }
  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .tapped: state.a += 1
      case .follow: state.b += 1
      }
      return .none
    }
  }
}

/// Actions that are sent while another one runs, and in which order they run.
@MainActor
@Suite(.mainSerialExecutor)
struct SendOrderTests {
  @Test func anObserversActionIsNeverParked() async {
    let store = Store(initialState: Pair.State()) { Pair() }
    let issues = await issues {
      withObservationTracking {
        _ = store.a
      } onChange: {
        MainActor.assumeIsolated { _ = store.send(.follow) }
      }
      store.send(.tapped)
      #expect(store.now == Pair.State(a: 1, b: 1))
    }
    #expect(
      issues.firstLines == ["Sent 'Pair.Action.follow' while an action was being processed. …"])
  }

  /// What an observer sends while the state is written runs on the written state.
  @Test func anObserversActionSeesTheWrittenState() async {
    let seen = LockIsolated<[Int]>([])
    let store = Store<Pair.State, Pair.Action>(initialState: Pair.State()) {
      Reduce { state, action in
        let a = state.a
        seen.withValue { $0.append(a) }
        if action == .tapped { state.a += 1 }
        return .none
      }
    }
    _ = await issues {
      withObservationTracking {
        _ = store.a
      } onChange: {
        MainActor.assumeIsolated { _ = store.send(.follow) }
      }
      store.send(.tapped)
    }
    #expect(seen.value == [0, 1])
    #expect(store.now.a == 1)
  }

  @Test func sendingFromAnEffectWhileAnActionRunsIsNoIssue() async {
    let store = Store<[Int], Int>(initialState: []) {
      Reduce { state, action in
        state.append(action)
        return action < 3 ? .merge(.send(action + 1), .run { _ in }) : .none
      }
    }
    let issues = await issues { await store.send(0).finish() }
    #expect(issues.all == [])
    #expect(store.now == [0, 1, 2, 3])
  }

  /// An action may hold an object whose end sends another one.
  @Test func theEndOfAnActionMaySend() async {
    enum Action: Sendable {
      case start
      case hold(OnDeinit)
      case ended
    }
    let target = LockIsolated<Store<[String], Action>?>(nil)
    let store = Store<[String], Action>(initialState: []) {
      Reduce { state, action in
        switch action {
        case .start:
          state.append("start")
          return .merge(
            (0..<3).map { _ in
              .send(
                .hold(
                  OnDeinit {
                    MainActor.assumeIsolated { _ = target.value?.send(.ended) }
                  }))
            })
        case .hold: state.append("hold")
        case .ended: state.append("ended")
        }
        return .none
      }
    }
    target.setValue(store)
    let issues = await issues { await store.send(.start).finish() }
    target.setValue(nil)
    #expect(issues.all.allSatisfy { $0.hasPrefix("Sent '") })
    #expect(store.now.sorted() == ["ended", "ended", "ended", "hold", "hold", "hold", "start"])
  }

  @Test func twoSendsInOneTurnAreBothApplied() {
    let store = Store(initialState: Pair.State()) { Pair() }
    store.send(.tapped)
    store.send(.tapped)
    store.send(.follow)
    #expect(store.now == Pair.State(a: 2, b: 1))
  }

  /// Wherever an effect's work hops to, its actions come back to the main actor.
  @Test func actionsOfWorkOnOtherThreadsRunOnTheMainActor() async {
    let store = Store<[Int], Int>(initialState: []) {
      Reduce { state, action in
        MainActor.assertIsolated()
        state.append(action)
        guard action == 0 else { return .none }
        return .run { send in
          await withTaskGroup(of: Void.self) { group in
            for number in 1...20 {
              group.addTask {
                await Task.detached { await send(number) }.value
              }
            }
          }
        }
      }
    }
    await store.send(0).finish()
    #expect(store.now.first == 0)
    #expect(store.now.sorted() == Array(0...20))
  }
}
