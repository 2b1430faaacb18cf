import ComposableArchitecture
import IssueReporting
import TestSupport
import Testing

/// How a store runs effects: their actions, their order, their end.
@MainActor
@Suite(.mainSerialExecutor)
struct EffectTests {
  @Test func anEffectAnswersWithActions() async {
    let store = Store<[Int], Int>(initialState: []) {
      Reduce { state, action in
        state.append(action)
        guard action == 0 else { return .none }
        return .run { send in
          await send(1)
          await send(2)
        }
      }
    }
    await store.send(0).finish()
    #expect(store.withState { $0 } == [0, 1, 2])
  }

  @Test func finishWaitsForEffectsOfEffects() async {
    let store = Store<[Int], Int>(initialState: []) {
      Reduce { state, action in
        state.append(action)
        guard action < 5 else { return .none }
        return .run { send in
          await Task.yield()
          await send(action + 1)
        }
      }
    }
    await store.send(0).finish()
    #expect(store.withState { $0 } == [0, 1, 2, 3, 4, 5])
  }

  @Test func cancelReachesEffectsOfEffects() async {
    let isCancelled = LockIsolated(false)
    let store = Store<Int, Int>(initialState: 0) {
      Reduce { state, action in
        state = action
        switch action {
        case 0: return .run { send in await send(1) }
        case 1:
          return .run { _ in
            try? await Task.never()
            isCancelled.setValue(Task.isCancelled)
          }
        default: return .none
        }
      }
    }
    let task = store.send(0)
    while store.withState({ $0 }) == 0 { await Task.yield() }
    #expect(!task.isCancelled)
    task.cancel()
    await task.finish()
    #expect(task.isCancelled)
    #expect(isCancelled.value)
  }

  @Test func anActionWithoutEffectsIsFinished() async {
    let store = Store<Int, Int>(initialState: 0) { EmptyReducer() }
    let task = store.send(0)
    await task.finish()
    #expect(task.isCancelled)
  }

  @Test func concatenatedEffectsRunOneAfterTheOther() async {
    let seen = LockIsolated<[Int]>([])
    let store = Store<Int, Int>(initialState: 0) {
      Reduce { _, action in
        seen.withValue { $0.append(action) }
        guard action == 0 else { return .none }
        return .concatenate(
          .run { send in
            for _ in 1...20 { await Task.yield() }
            await send(1)
          },
          .send(2),
          .run { send in await send(3) }
        )
      }
    }
    await store.send(0).finish()
    #expect(seen.value == [0, 1, 2, 3])
  }

  @Test func cancellationIsByIdAndType() async {
    struct Other: Hashable, Sendable {}
    let store = Store<[Int], Int>(initialState: []) {
      Reduce { state, action in
        state.append(action)
        switch action {
        case 0:
          return .run { send in
            while !Task.isCancelled { await Task.yield() }
            await send(9)
          }
          .cancellable(id: "a")
        case 1: return .cancel(id: Other())
        case 2: return .cancel(id: "a")
        default: return .none
        }
      }
    }
    let task = store.send(0)
    store.send(1)
    await Task.megaYield()
    #expect(!CancellationRegistry.shared.isEmpty)
    store.send(2)
    await task.finish()
    #expect(store.withState { $0 } == [0, 1, 2])
  }

  @Test func cancelInFlightLeavesTheLastOne() async {
    let store = Store<[Int], Int>(initialState: []) {
      Reduce { state, action in
        state.append(action)
        guard action < 10 else { return .none }
        return .run { send in
          for _ in 1...50 { await Task.yield() }
          try Task.checkCancellation()
          await send(action * 10)
        }
        .cancellable(id: "a", cancelInFlight: true)
      }
    }
    let tasks = [1, 2, 3].map { store.send($0) }
    for task in tasks { await task.finish() }
    #expect(store.withState { $0 } == [1, 2, 3, 30])
  }

  @Test func cancellationStaysInsideOfARootStore() async {
    func make() -> Store<[Int], Int> {
      Store(initialState: []) {
        Reduce { state, action in
          state.append(action)
          switch action {
          case 0:
            return .run { send in
              for _ in 1...100 { await Task.yield() }
              try Task.checkCancellation()
              await send(42)
            }
            .cancellable(id: "x")
          case 1: return .cancel(id: "x")
          default: return .none
          }
        }
      }
    }
    let (first, second) = (make(), make())
    let tasks = [first.send(0), second.send(0)]
    second.send(1)
    for task in tasks { await task.finish() }
    #expect(first.withState { $0 } == [0, 42])
    #expect(second.withState { $0 } == [0, 1])
  }

  @Test func releasingTheRootCancelsItsEffects() async {
    let isCancelled = LockIsolated(false)
    var store: Store<Int, Int>? = Store(initialState: 0) {
      Reduce { _, _ in
        .run { _ in
          try? await Task.never()
          isCancelled.setValue(true)
        }
      }
    }
    let task = store?.send(0)
    await Task.megaYield()
    #expect(!isCancelled.value)
    store = nil
    await task?.finish()
    #expect(isCancelled.value)
  }

  @Test func anUnhandledErrorNamesTheEffect() async {
    struct Failure: Error {}
    let messages = LockIsolated<[String]>([])
    let store = Store<Int, Int>(initialState: 0) {
      Reduce { _, _ in .run { _ in throw Failure() } }
    }
    await withIssueReporters([CollectingReporter(messages)]) {
      await store.send(0).finish()
    }
    #expect(messages.value.count == 1)
    #expect(
      messages.value.first?.hasPrefix(
        #"An "Effect.run" returned from "ComposableArchitectureTests/EffectTests.swift:"#) == true)
    #expect(messages.value.first?.contains("threw an unhandled error. …") == true)
  }

  @Test func aHandledErrorBecomesAnAction() async {
    struct Failure: Error {}
    let store = Store<[Int], Int>(initialState: []) {
      Reduce { state, action in
        state.append(action)
        guard action == 0 else { return .none }
        return .run { _ in
          throw Failure()
        } catch: { _, send in
          await send(-1)
        }
      }
    }
    await store.send(0).finish()
    #expect(store.withState { $0 } == [0, -1])
  }

  @Test func sendingFromACompletedEffectIsAnIssueAndStillArrives() async {
    let messages = LockIsolated<[String]>([])
    let late = LockIsolated<Task<Void, Never>?>(nil)
    let store = Store<[Int], Int>(initialState: []) {
      Reduce { state, action in
        state.append(action)
        guard action == 0 else { return .none }
        return .run { send in
          late.setValue(
            Task {
              for _ in 1...200 { await Task.yield() }
              await send(1)
            })
        }
      }
    }
    await withIssueReporters([CollectingReporter(messages)]) {
      await store.send(0).finish()
      await late.value?.value
    }
    #expect(store.withState { $0 } == [0, 1])
    #expect(messages.value.count == 1)
    #expect(
      messages.value.first?.hasPrefix("An action was sent from a completed effect. …") == true)
  }
}
