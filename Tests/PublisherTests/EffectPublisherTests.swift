import ComposableArchitecture
import Foundation
import TestSupport
import Testing

private struct Row: Reducer {
  struct State: Equatable, Identifiable {
    let id: Int
    var values: [Int] = []
  }
  enum Action {
    case start
    case stop
    case received(Int)
  }
  enum CancelID { case subject }
  let subject: Subject<Int>

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      switch action {
      case .start:
        return .publisher { self.subject.stream.map(Action.received) }
          .cancellable(id: CancelID.subject)
      case .stop:
        return .cancel(id: CancelID.subject)
      case .received(let value):
        state.values.append(value)
        return .none
      }
    }
  }
}

private struct List: Reducer {
  struct State: Equatable {
    var rows: IdentifiedArrayOf<Row.State> = []
  }
  @CasePathable
  enum Action {
    case rows(IdentifiedActionOf<Row>)
  }
  let subject: Subject<Int>

  var body: some ReducerOf<Self> {
    EmptyReducer()
      .forEach(\.rows, action: \.rows) { Row(subject: self.subject) }
  }
}

@MainActor
@Suite(.mainSerialExecutor) struct EffectPublisherTests {
  @Test func sendsEachElement() async {
    let subject = Subject<Int>()
    let store = Store(initialState: Row.State(id: 1)) { Row(subject: subject) }
    let task = store.send(.start)
    await settle()
    subject.send(1)
    subject.send(2)
    await turn { store.withState { $0.values.count == 2 } }
    #expect(store.withState { $0.values } == [1, 2])
    subject.finish()
    await task.finish()
  }

  @Test func endsWhenCancelled() async {
    let subject = Subject<Int>()
    let store = Store(initialState: Row.State(id: 1)) { Row(subject: subject) }
    let task = store.send(.start)
    await settle()
    store.send(.stop)
    await task.finish()
    subject.send(1)
    await settle()
    #expect(store.withState { $0.values } == [])
  }

  @Test func cancellationKeepsThePlaceWhereItWasMade() async {
    let subject = Subject<Int>()
    let store = Store(
      initialState: List.State(rows: [Row.State(id: 1), Row.State(id: 2)])
    ) {
      List(subject: subject)
    }
    store.send(.rows(.element(id: 1, action: .start)))
    store.send(.rows(.element(id: 2, action: .start)))
    await settle()
    store.send(.rows(.element(id: 1, action: .stop)))
    await settle()
    subject.send(7)
    await turn { store.withState { $0.rows[id: 2]?.values == [7] } }
    #expect(store.withState { $0.rows[id: 1]?.values } == [])
    #expect(store.withState { $0.rows[id: 2]?.values } == [7])
  }

  @Test func keepsTheDependenciesOfWhereItWasMade() async {
    struct Feature: Reducer {
      struct State { var ids: [UUID] = [] }
      enum Action {
        case start
        case drawn(UUID)
      }
      var body: some Reducer<State, Action> {
        Reduce { state, action in
          switch action {
          case .start:
            return .publisher {
              @Dependency(\.uuid) var uuid
              let first = uuid()
              return AsyncStream<UUID> { continuation in
                continuation.yield(first)
                continuation.finish()
              }
              .map { id in
                @Dependency(\.uuid) var later
                return Action.drawn(id == later() ? id : UUID(99))
              }
            }
          case .drawn(let id):
            state.ids.append(id)
            return .none
          }
        }
      }
    }
    let id = UUID(5)
    let store = Store(initialState: Feature.State()) {
      Feature().dependency(\.uuid, .constant(id))
    }
    await store.send(.start).finish()
    #expect(store.withState { $0.ids } == [id])
  }

  @Test func sequencesOfManyKinds() async {
    enum Action: Equatable { case value(Int), text(String) }
    struct Feature: Reducer {
      var body: some Reducer<[Action], Action> {
        Reduce { state, action in
          state.append(action)
          guard case .value(0) = action else { return .none }
          @Dependency(\.continuousClock) var clock
          let stream = AsyncStream<Int> { continuation in
            for value in [1, 1, 2, 2, 3] { continuation.yield(value) }
            continuation.finish()
          }
          return .merge(
            .publisher { stream.removeDuplicates().dropFirst().map(Action.value) },
            .publisher {
              clock.timer(interval: .seconds(1)).prefix(2).map { _ in .text("tick") }
            })
        }
      }
    }
    let clock = TestClock()
    let store = Store(initialState: [Action]()) {
      Feature()
    } withDependencies: {
      $0.continuousClock = clock
    }
    let task = store.send(.value(0))
    await turn { store.withState { $0.count == 3 } }
    await clock.advance(by: .seconds(3))
    await task.finish()
    #expect(
      store.withState { $0 } == [
        .value(0), .value(2), .value(3), .text("tick"), .text("tick"),
      ])
  }
}

@MainActor
@Suite(.mainSerialExecutor) struct ActionsOfAnEffectTests {
  private func actions(of effect: Effect<Int>) async -> [Int] {
    var actions: [Int] = []
    for await action in _EffectPublisher(effect) { actions.append(action) }
    return actions
  }

  @Test func eachKindOfEffect() async {
    #expect(await actions(of: .none) == [])
    #expect(await actions(of: .send(1)) == [1])
    #expect(
      await actions(
        of: .run { send in
          await send(1)
          await send(2)
        }) == [1, 2])
    #expect(
      await actions(
        of: .concatenate(.run { await $0(1) }, .send(2), .merge(.send(3), .send(4))))
        == [1, 2, 3, 4])
    #expect(await actions(of: Effect<String>.send("12").map { $0.count }) == [2])
  }

  @Test func effectsThatAreCancelled() async {
    let clock = TestClock()
    let effect: Effect<Int> = .merge(
      .run { send in
        await send(1)
        try await clock.sleep(for: .seconds(1))
        await send(2)
      }
      .cancellable(id: "ActionsOfAnEffect"),
      .run { send in
        try await clock.sleep(for: .seconds(1))
        await send(3)
      },
      .run { send in
        await Task.megaYield()
        await send(4)
      }
      .concatenate(with: .cancel(id: "ActionsOfAnEffect")))
    let task = Task { await self.actions(of: effect) }
    await settle()
    await clock.advance(by: .seconds(1))
    #expect(await task.value == [1, 4, 3])
  }

  @Test func iterationThatIsCancelledCancelsTheEffect() async {
    let isCancelled = LockIsolated(false)
    let task = Task {
      await self.actions(
        of: .run { send in
          await send(1)
          await withTaskCancellationHandler {
            try? await Task.never()
          } onCancel: {
            isCancelled.setValue(true)
          }
        })
    }
    await settle()
    #expect(!isCancelled.value)
    task.cancel()
    #expect(await task.value == [1])
    await turn { isCancelled.value }
    #expect(isCancelled.value)
  }
}
