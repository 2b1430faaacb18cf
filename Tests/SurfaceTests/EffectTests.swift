import ComposableArchitecture
import Foundation
import Testing

/// Effects, their cancellation and what sends their actions.
@MainActor
struct EffectTests {
  /// Adds what it receives, and runs the effect it was made with when it receives `nil`.
  struct Adder: Reducer {
    let effect: () -> Effect<Int?>

    /// - Parameter effect: It is made in the reducer, so that it knows its store.
    init(effect: @autoclosure @escaping () -> Effect<Int?>) {
      self.effect = effect
    }

    func reduce(into state: inout [Int], action: Int?) -> Effect<Int?> {
      guard let action else { return self.effect() }
      state.append(action)
      return .none
    }
  }

  private func numbers(_ effect: Effect<Int?>) async -> [Int] {
    let store = Store(initialState: [Int]()) { Adder(effect: effect) }
    await store.send(nil).finish()
    return store.withState(\.self)
  }

  @Test func compositions() async {
    let one = Effect<Int?>.send(1)
    let two = Effect<Int?>.run { send in await send(2) }
    let three = Effect<Int?>.run(priority: .high, name: "three") { await $0(3) }
    #expect(await self.numbers(.none) == [])
    #expect(await self.numbers(.concatenate(two, one, three)) == [2, 1, 3])
    #expect(await self.numbers(.concatenate([three, one])) == [3, 1])
    #expect(await self.numbers(two.concatenate(with: one)) == [2, 1])
    #expect(await self.numbers(.merge(one, two, three)).sorted() == [1, 2, 3])
    #expect(await self.numbers(.merge(Set([1, 2]).map { .send($0) })).sorted() == [1, 2])
    #expect(await self.numbers(one.merge(with: two)).sorted() == [1, 2])
    #expect(await self.numbers(Effect<Int>.send(4).map { $0 * 2 }) == [8])
  }

  @Test func sequencesAsPublishers() async {
    #expect(
      await self.numbers(
        .publisher {
          AsyncStream<Int> {
            $0.yield(1); $0.yield(2); $0.finish()
          }.map(Int?.some)
        }) == [1, 2])
    let inner = Effect<Int?>.concatenate(.send(5), .run { await $0(6) })
    #expect(await self.numbers(.publisher { _EffectPublisher(inner) }) == [5, 6])
  }

  struct Failure: Error, Equatable {}

  @Test func errors() async {
    #expect(
      await self.numbers(
        .run { _ in
          throw Failure()
        } catch: { error, send in
          await send(error is Failure ? 1 : 0)
        }) == [1])
    #expect(await self.numbers(.run { _ in throw CancellationError() }) == [])
    let issues = await issues {
      let numbers = await self.numbers(.run { _ in throw Failure() })
      #expect(numbers == [])
    }
    #expect(issues.headings.count == 1)
    #expect(issues.headings[0].hasPrefix(#"An "Effect.run" returned from "SurfaceTests/"#))
    #expect(issues.headings[0].hasSuffix(#"" threw an unhandled error. …"#))
  }

  @Test func anActionAfterTheEnd() async {
    let escaped = LockIsolated<Task<Void, Never>?>(nil)
    let go = AsyncStream<Void>.makeStream()
    let store = Store(initialState: [Int]()) {
      Adder(
        effect: .run { send in
          escaped.setValue(
            Task {
              for await _ in go.stream {}
              await send(1)
            })
        })
    }
    let issues = await issues {
      await store.send(nil).finish()
      go.continuation.finish()
      await escaped.value?.value
    }
    #expect(issues.headings == ["An action was sent from a completed effect. …"])
    #expect(store.withState(\.self) == [1])
  }

  @Test func cancellation() async {
    let clock = TestClock()
    let late = Effect<Int?>.run { send in
      try await clock.sleep(for: .seconds(1))
      await send(1)
    }
    struct Key: Hashable, Sendable { var row: Int }
    func rows() -> Effect<Int?> {
      .merge(
        late.cancellable(id: Key(row: 1)),
        late.map { $0.map { $0 + 1 } }.cancellable(id: Key(row: 2)))
    }
    let store = TestStore(initialState: [Int]()) { Adder(effect: rows()) }
    await store.send(nil)
    let other = Store(initialState: [Int]()) { Adder(effect: .cancel(id: Key(row: 2))) }
    await other.send(nil).finish()
    await clock.advance(by: .seconds(1))
    await store.receive(1) { $0 = [1] }
    await store.receive(2) { $0 = [1, 2] }

    let own = TestStore(initialState: [Int]()) {
      Adder(effect: .concatenate(.merge(rows(), .cancel(id: Key(row: 2)))))
    }
    await own.send(nil)
    await clock.advance(by: .seconds(1))
    await own.receive(1) { $0 = [1] }
  }

  @Test func tasksWithAnID() async {
    let value = await withTaskCancellation(id: "value") { 42 }
    #expect(value == 42)
    let isCancelled = LockIsolated(false)
    let started = AsyncStream<Void>.makeStream()
    let task = Task {
      await withTaskCancellation(id: "endless", cancelInFlight: true) {
        started.continuation.finish()
        do { try await Task.never() } catch { isCancelled.setValue(true) }
      }
    }
    for await _ in started.stream {}
    Task.cancel(id: "endless")
    await task.value
    #expect(isCancelled.value)
  }

  @Test func sendIsACallableValue() {
    let sent = LockIsolated<[Counter.Action]>([])
    let send: SendOf<Counter> = Send { action in sent.withValue { $0.append(action) } }
    send(.increment)
    #expect(sent.value == [.increment])
  }

  @Test func debounceAndThrottle() async {
    let clock = TestClock()
    let effects: [Effect<Int?>] = [
      Effect.send(1).debounce(id: "d", for: .seconds(1), scheduler: clock),
      Effect.send(2).throttle(id: "t", for: .seconds(1), scheduler: clock, latest: true),
    ]
    let store = TestStore(initialState: [Int]()) { Adder(effect: .merge(effects)) }
    await store.send(nil)
    await store.receive(2) { $0 = [2] }
    await clock.advance(by: .seconds(1))
    await store.receive(1) { $0 = [2, 1] }
  }

  @Test func resultsOfTasks() async {
    let success = await TaskResult { 1 }
    let failure = await TaskResult<Int> { throw Failure() }
    #expect(success == .success(1))
    #expect(failure == .failure(Failure()))
    #expect(success.map { $0 + 1 } == .success(2))
    #expect(success[case: \.success] == 1)
    #expect(throws: Failure.self) { try failure.value }
    #expect((try? Result(success).get()) == 1)
  }
}
