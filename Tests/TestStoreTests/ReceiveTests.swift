import ComposableArchitecture
import TestSupport
import Testing

@Reducer
private struct Loader {
  struct State: Equatable {
    var value = 0
    var log: [String] = []
  }
  @CasePathable
  enum Response: Equatable { case success(Int), failure(String) }
  enum Action: Equatable {
    case load, loadTwice, never, after(Int)
    case response(Response)
    case pair(first: Int, second: Int)
  }
  @Dependency(\.continuousClock) var clock

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .load:
        return .run { send in await send(.response(.success(1))) }
      case .loadTwice:
        return .merge(.send(.response(.success(1))), .send(.response(.failure("no"))))
      case .never:
        return .run { _ in try await Task.never() }
      case .after(let seconds):
        return .run { send in
          try await clock.sleep(for: .seconds(seconds))
          await send(.pair(first: seconds, second: seconds))
        }
      case .response(.success(let value)):
        state.value += value
        return .none
      case .response(.failure(let text)):
        state.log.append(text)
        return .none
      case .pair(let first, let second):
        state.value = first + second
        return .none
      }
    }
  }
}

@Reducer
private struct Order {
  struct State: Equatable {}
  enum Action: Equatable { case start, a, a2, b, b2 }
  let log: LockIsolated<[Action]>
  var body: some Reducer<State, Action> {
    Reduce { _, action in
      log.withValue { $0.append(action) }
      switch action {
      case .start: return .concatenate(.send(.a), .send(.b))
      case .a: return .send(.a2)
      case .b: return .send(.b2)
      case .a2, .b2: return .none
      }
    }
  }
}

@Suite(.mainSerialExecutor) @MainActor
struct ReceiveTests {
  private func makeStore() -> TestStoreOf<Loader> {
    TestStore(initialState: Loader.State()) { Loader() }
  }

  @Test func inEveryForm() async {
    let store = self.makeStore()
    await store.send(.load)
    await store.receive(.response(.success(1))) { $0.value = 1 }
    await store.send(.load)
    await store.receive(.response(.success(1)), timeout: .seconds(2)) { $0.value = 2 }
    await store.send(.load)
    await store.receive(.response(.success(1)), timeout: 2_000_000_000) { $0.value = 3 }
    await store.send(.load)
    await store.receive(\.response) { $0.value = 4 }
    await store.send(.load)
    await store.receive(\.response, timeout: .seconds(2)) { $0.value = 5 }
    await store.send(.load)
    await store.receive(\.response.success) { $0.value = 6 }
    await store.send(.load)
    await store.receive(\.response.success, 1) { $0.value = 7 }
    await store.send(.load)
    await store.receive(\.response.success, 1, timeout: .seconds(2)) { $0.value = 8 }
    await store.send(.load)
    await store.receive({ $0 == .response(.success(1)) }) { $0.value = 9 }
    await store.send(.load)
    await store.receive({ $0.is(\.response) }, timeout: .seconds(2)) { $0.value = 10 }
    await store.send(.load)
    await store.receive {
      $0 == .response(.success(1))
    } assert: {
      $0.value = 11
    }
    await store.send(.load)
    await store.receive(\.response.success, 1, timeout: 2_000_000_000) { $0.value = 12 }
  }

  @Test func withAClock() async {
    let clock = TestClock()
    let store = TestStore(initialState: Loader.State()) {
      Loader()
    } withDependencies: {
      $0.continuousClock = clock
    }
    await store.send(.after(3))
    await clock.advance(by: .seconds(3))
    await store.receive(\.pair) { $0.value = 6 }
  }

  @Test func theStateOfEachAction() async {
    let store = self.makeStore()
    await store.send(.loadTwice)
    #expect(store.state == Loader.State())
    await store.receive(.response(.success(1))) { $0.value = 1 }
    #expect(store.state == Loader.State(value: 1))
    await store.receive(.response(.failure("no"))) { $0.log = ["no"] }
    #expect(store.state == Loader.State(value: 1, log: ["no"]))
  }

  @Test func anotherAction() async {
    let issues = await issues {
      let store = self.makeStore()
      await store.send(.load)
      await store.receive(.response(.success(2))) { $0.value = 2 }
    }
    #expect(
      issues.failures == [
        """
        Received unexpected action: …

            \u{2007} Loader.Action.response(
            −   .success(2)
            +   .success(1)
            \u{2007} )

        (Expected: −, Received: +)
        """
      ])
  }

  @Test func anotherActionBefore() async {
    let issues = await issues {
      let store = self.makeStore()
      await store.send(.loadTwice)
      await store.receive(.response(.failure("no"))) { $0.log = ["no"] }
      await store.skipReceivedActions()
    }
    #expect(
      issues.failures == [
        """
        Received unexpected action before this one: …

            \u{2007} Loader.Action.response(
            −   .failure("no")
            +   .success(1)
            \u{2007} )

        (Expected: −, Received: +)
        """
      ])
  }

  @Test func anotherCase() async {
    let issues = await issues {
      let store = self.makeStore()
      await store.send(.loadTwice)
      await store.receive(\.response.failure)
      await store.receive(\.pair)
    }
    #expect(
      issues.failures == [
        """
        Received unexpected action before this one: …

          Loader.Action.response(
            .success(1)
          )
        """,
        """
        Received unexpected action: …

          Loader.Action.response(
            .failure("no")
          )
        """,
      ])
  }

  @Test func anotherPayload() async {
    let issues = await issues {
      let store = self.makeStore()
      await store.send(.load)
      await store.receive(\.response.success, 2)
    }
    #expect(
      issues.failures == [
        """
        Received unexpected action: …

            − 2
            + 1

        (Expected: −, Received: +)
        """
      ])
  }

  @Test func aWrongPredicate() async {
    let issues = await issues {
      let store = self.makeStore()
      await store.send(.load)
      await store.receive({ $0 == .load })
    }
    #expect(issues.firstLines == ["Received unexpected action: …"])
  }

  @Test func nothingIsLeft() async {
    let issues = await issues {
      let store = self.makeStore()
      await store.receive(.load)
      await store.receive(\.load)
      await store.receive(\.response.success, 3)
      await store.receive({ _ in true })
    }
    #expect(
      issues.failures == [
        """
        Expected to receive the following action, but didn't: …

            Loader.Action.load
        """,
        "Expected to receive an action matching case path, but didn't get one.",
        """
        Expected to receive an action matching case path with the following payload, but didn't: …

            3
        """,
        "Expected to receive an action matching predicate, but didn't get one.",
      ])
  }

  @Test func nothingInTime() async {
    let issues = await issues {
      let store = self.makeStore()
      await store.send(.never)
      await store.receive(\.response, timeout: .milliseconds(10))
      store.timeout = 0
      await store.receive(\.response)
      await store.skipInFlightEffects()
    }
    #expect(
      issues.firstLines == [
        "Expected to receive an action, but received none after 0.01 seconds. …",
        "Expected to receive an action matching case path, but didn't get one.",
        "Expected to receive an action, but received none. …",
        "Expected to receive an action matching case path, but didn't get one.",
      ])
    #expect(issues.failures[0].contains("There are effects in-flight."))
    #expect(issues.failures[0].contains(#"try a longer "timeout""#))
    #expect(issues.failures[2].contains(#"give this assertion a "timeout""#))
  }

  @Test func theEffectEndsWithoutIt() async {
    let clock = TestClock()
    let issues = await issues {
      let store = TestStore(initialState: Loader.State()) {
        Reduce<Loader.State, Loader.Action> { _, _ in
          .run { _ in try await clock.sleep(for: .seconds(1)) }
        }
      }
      await store.send(.load)
      Task { await clock.advance(by: .seconds(1)) }
      await store.receive(\.response, timeout: .milliseconds(50))
    }
    #expect(
      issues.firstLines == [
        "Expected to receive an action, but received none after 0.05 seconds. …",
        "Expected to receive an action matching case path, but didn't get one.",
      ])
    #expect(issues.failures[0].contains("There are no in-flight effects"))
  }

  @Test func placesAreThoseOfTheAssertions() async {
    let line: UInt = #line
    let issues = await issues {
      let store = self.makeStore()
      await store.send(.load)
      await store.receive(.response(.success(1)))
      await store.receive(.load)
    }
    #expect(issues.issues.map(\.line) == [line + 4, line + 5])
  }

  /// A live store and a test store run the actions of effects in one order.
  @Test func theOrderOfALiveStore() async {
    let live = LockIsolated<[Order.Action]>([])
    Store(initialState: Order.State()) { Order(log: live) }.send(.start)

    let tested = LockIsolated<[Order.Action]>([])
    let store = TestStore(initialState: Order.State()) { Order(log: tested) }
    await store.send(.start)
    #expect(tested.value == live.value)
    for action in live.value.dropFirst() { await store.receive(action) }
  }
}
