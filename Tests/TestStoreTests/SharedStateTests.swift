import ComposableArchitecture
import TestSupport
import Testing

@Reducer
private struct Counter {
  struct State: Equatable {
    @Shared var count: Int
    var own = 0
  }
  enum Action {
    case increment, incrementBoth, incrementInEffect, nothing
    case tap, response
    case twice
  }
  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .increment, .response:
        state.$count.withLock { $0 += 1 }
        return .none
      case .incrementBoth:
        state.$count.withLock { $0 += 1 }
        state.own += 1
        return .none
      case .incrementInEffect:
        return .run { [count = state.$count] _ in count.withLock { $0 += 1 } }
      case .nothing:
        return .none
      case .tap:
        return .run { send in await send(.response) }
      case .twice:
        state.$count.withLock { $0 += 1 }
        return .merge(.send(.response), .send(.nothing), .send(.response))
      }
    }
  }
}

@Reducer
private struct Only {
  struct State: Equatable { @Shared var count: Int }
  enum Action { case increment }
  var body: some ReducerOf<Self> {
    Reduce { state, _ in
      state.$count.withLock { $0 += 1 }
      return .none
    }
  }
}

@Reducer
private struct Stored {
  struct State: Equatable {
    @Shared(.inMemory("count")) var count = 0
    var child = Child.State()
  }
  enum Action { case increment, child(Child.Action) }
  var body: some ReducerOf<Self> {
    Scope(state: \.child, action: \.child) { Child() }
    Reduce { state, action in
      if case .increment = action { state.$count.withLock { $0 += 1 } }
      return .none
    }
  }

  @Reducer
  struct Child {
    struct State: Equatable { @Shared(.inMemory("count")) var count = 0 }
    enum Action { case reset }
    var body: some ReducerOf<Self> {
      Reduce { state, _ in
        state.$count.withLock { $0 = 0 }
        return .none
      }
    }
  }
}

@Suite(.mainSerialExecutor) @MainActor
struct SharedStateTests {
  private func makeStore() -> TestStoreOf<Counter> {
    TestStore(initialState: Counter.State(count: Shared(value: 0))) { Counter() }
  }

  @Test func aChangeOfTheReducer() async {
    let store = self.makeStore()
    await store.send(.increment) { $0.$count.withLock { $0 = 1 } }
    await store.send(.incrementBoth) {
      $0.$count.withLock { $0 += 1 }
      $0.own = 1
    }
    #expect(store.state.count == 2)
  }

  @Test func aWrongExpectation() async {
    let issues = await issues {
      let store = self.makeStore()
      await store.send(.increment) { $0.$count.withLock { $0 = 2 } }
      #expect(store.state.count == 1)
      await store.send(.increment) { $0.$count.withLock { $0 = 2 } }
    }
    #expect(
      issues.failures == [
        """
        State was not expected to change, but a change occurred: …

            \u{2007} Counter.State(
            −   _count: #1 2,
            +   _count: #1 1,
            \u{2007}   own: 0
            \u{2007} )

        (Expected: −, Actual: +)
        """
      ])
  }

  @Test func aWrongExpectationOfAStateOfOneValue() async {
    let issues = await issues {
      let store = TestStore(initialState: Only.State(count: Shared(value: 0))) { Only() }
      await store.send(.increment) { $0.$count.withLock { $0 = 2 } }
    }
    #expect(
      issues.failures == [
        """
        State was not expected to change, but a change occurred: …

            − Only.State(_count: #1 2)
            + Only.State(_count: #1 1)

        (Expected: −, Actual: +)
        """
      ])
  }

  @Test func aWrongExpectationOfBoth() async {
    let issues = await issues {
      let store = self.makeStore()
      await store.send(.incrementBoth) { $0.$count.withLock { $0 = 1 } }
      await store.send(.incrementBoth) { $0.own = 2 }
    }
    #expect(
      issues.firstLines == [
        "A state change does not match expectation: …",
        "A state change does not match expectation: …",
      ])
  }

  @Test func anUnexpectedChange() async {
    let issues = await issues {
      let store = self.makeStore()
      await store.send(.increment)
    }
    #expect(issues.firstLines == ["State was not expected to change, but a change occurred: …"])
  }

  @Test func noChange() async {
    let issues = await issues {
      let store = self.makeStore()
      await store.send(.nothing) { $0.$count.withLock { $0 = 0 } }
      await store.send(.nothing) { $0.$count.withLock { $0 = 1 } }
    }
    #expect(
      issues.firstLines == [
        "Expected state to change, but no change occurred.",
        "A state change does not match expectation: …",
      ])
  }

  @Test func aChangeOfAnEffect() async {
    let store = self.makeStore()
    await store.send(.incrementInEffect)
    store.assert { $0.$count.withLock { $0 = 1 } }
    // It may as well be told where the effect was started.
    await store.send(.incrementInEffect) { $0.$count.withLock { $0 = 2 } }
  }

  @Test func aWrongExpectationOfAnEffect() async {
    let issues = await issues {
      let store = self.makeStore()
      await store.send(.incrementInEffect)
      store.assert { $0.$count.withLock { $0 = 2 } }
      await store.send(.incrementInEffect)
      store.assert { _ in }
    }
    #expect(
      issues.firstLines == [
        "A state change does not match expectation: …",
        "A state change does not match expectation: …",
      ])
  }

  @Test func anUnassertedChangeOfAnEffect() async {
    let line: UInt = #line
    let issues = await issues {
      let store = TestStore(initialState: Counter.State(count: Shared(value: 0))) { Counter() }
      await store.send(.incrementInEffect)
    }
    let text = """
      Tracked changes to 'Shared<Int>@TestStoreTests/SharedStateTests.swift:\(line + 2)' but failed \
      to assert: …

        − 0
        + 1

      (Before: −, After: +)

      Call 'Shared<Int>.assert' to exhaustively test these changes, or call 'skipChanges' to ignore \
      them.
      """
    #expect(issues.failures == [text])
    #expect(issues.issues.map(\.line) == [line + 3])

    let finished = await TestStoreTests.issues {
      let store = self.makeStore()
      await store.send(.incrementInEffect)
      await store.finish()
    }
    #expect(finished.failures.count == 1)
    #expect(finished.failures[0].hasPrefix("Tracked changes to 'Shared<Int>@"))
  }

  @Test func notExhaustive() async {
    let issues = await issues {
      let store = self.makeStore()
      store.exhaustivity = .off
      await store.send(.incrementBoth)
      await store.send(.incrementBoth) { $0.$count.withLock { $0 = 2 } }
      await store.send(.incrementInEffect)
      await store.finish()
    }
    #expect(issues.issues.isEmpty)

    let wrong = await TestStoreTests.issues {
      let store = self.makeStore()
      store.exhaustivity = .off
      await store.send(.incrementBoth) { $0.$count.withLock { $0 = 5 } }
    }
    #expect(wrong.firstLines == ["A state change does not match expectation: …"])
  }

  /// The action of an effect that ends at once is reduced before the assertion of the action that
  /// started it.
  @Test func aReceivedActionsChangeIsAssertedBefore() async {
    let store = self.makeStore()
    await store.send(.tap) { $0.$count.withLock { $0 = 1 } }
    await store.receive(\.response)

    let issues = await issues {
      let store = self.makeStore()
      await store.send(.tap)
      await store.receive(\.response) { $0.$count.withLock { $0 = 1 } }
    }
    #expect(
      issues.failures == [
        """
        State was not expected to change, but a change occurred: …

            \u{2007} Counter.State(
            −   _count: #1 0,
            +   _count: #1 1,
            \u{2007}   own: 0
            \u{2007} )

        (Expected: −, Actual: +)
        """,
        """
        Expected state to change, but no change occurred.

        The trailing closure made no observable modifications to state. If no change to state is \
        expected, omit the trailing closure.
        """,
      ])
  }

  @Test func aReceivedActionsChangeAtTheAction() async {
    let store = self.makeStore()
    store.sharedChangesAssertion = .atTheirAction
    await store.send(.tap)
    await store.receive(\.response) { $0.$count.withLock { $0 = 1 } }
    await store.send(.twice) { $0.$count.withLock { $0 = 2 } }
    await store.receive(\.response) { $0.$count.withLock { $0 = 3 } }
    await store.receive(\.nothing)
    await store.receive(\.response) { $0.$count.withLock { $0 = 4 } }
    await store.send(.incrementInEffect)
    store.assert { $0.$count.withLock { $0 = 5 } }

    let issues = await issues {
      let store = self.makeStore()
      store.sharedChangesAssertion = .atTheirAction
      await store.send(.twice) { $0.$count.withLock { $0 = 3 } }
      await store.receive(\.response)
      await store.receive(\.nothing) { $0.$count.withLock { $0 = 2 } }
      await store.receive(\.response) { $0.$count.withLock { $0 = 3 } }
    }
    #expect(
      issues.firstLines == [
        "State was not expected to change, but a change occurred: …",
        "State was not expected to change, but a change occurred: …",
        "A state change does not match expectation: …",
      ])
    #expect(issues.failures[0].contains("−   _count: #1 3,\n    +   _count: #1 1,"))
    #expect(issues.failures[1].contains("−   _count: #1 1,\n    +   _count: #1 2,"))
  }

  @Test func skippedActions() async {
    for mode in [SharedChangesAssertion.withNextAssertion, .atTheirAction] {
      let issues = await issues {
        let store = self.makeStore()
        store.sharedChangesAssertion = mode
        await store.send(.twice) {
          $0.$count.withLock { $0 = mode == .atTheirAction ? 1 : 3 }
        }
        await store.skipReceivedActions()
        #expect(store.state.count == 3)
      }
      #expect(issues.failures == [])
    }
  }

  @Test func valuesWithAKey() async {
    @Shared(.inMemory("count")) var count = 3
    let store = TestStore(initialState: Stored.State()) { Stored() }
    #expect(store.state.count == 3)
    await store.send(.increment) { $0.$count.withLock { $0 = 4 } }
    await store.send(.increment) { $0.child.$count.withLock { $0 = 5 } }
    await store.send(.increment) { _ in $count.withLock { $0 = 6 } }
    await store.send(.child(.reset)) {
      $0.$count.withLock { $0 = 0 }
      $0.child.$count.withLock { $0 = 0 }
    }
    #expect(count == 0)
    // What the test itself changes is not asserted.
    $count.withLock { $0 = 41 }
    await store.send(.increment) { $0.$count.withLock { $0 = 42 } }
  }
}
