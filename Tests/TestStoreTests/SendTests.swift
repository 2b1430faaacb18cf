import ComposableArchitecture
import Foundation
import Testing

@Reducer
private struct Counter {
  struct State: Equatable { var count = 0 }
  enum Action: Equatable {
    case increment, nothing
    case set(Int)
    case setBoth(count: Int, by: String)
    case request, response
  }
  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .increment, .response:
        state.count += 1
        return .none
      case .nothing:
        return .none
      case .set(let count), .setBoth(let count, _):
        state.count = count
        return .none
      case .request:
        return .send(.response)
      }
    }
  }
}

private struct Failure: Error, CustomStringConvertible {
  var description: String { "no luck" }
}

@MainActor
struct SendTests {
  private func makeStore() -> TestStoreOf<Counter> {
    TestStore(initialState: Counter.State()) { Counter() }
  }

  @Test func stateChanges() async {
    let store = self.makeStore()
    await store.send(.increment) { $0.count = 1 }
    await store.send(\.increment) { $0.count = 2 }
    await store.send(\.set, 5) { $0.count = 5 }
    await store.send(\.setBoth, (count: 6, by: "me")) { $0.count = 6 }
    await store.send(.nothing)
    #expect(store.state == Counter.State(count: 6))
  }

  @Test func theStateInsideOfAClosureIsTheOneBefore() async {
    let store = self.makeStore()
    await store.send(.request)
    await store.receive(.response) {
      $0.count = 1
      #expect(store.state.count == 0)
    }
    await store.send(.increment) {
      $0.count = 2
      #expect(store.state.count == 1)
    }
    #expect(store.state.count == 2)
  }

  @Test func aWrongExpectation() async {
    let line: UInt = #line + 2
    let issues = await issues {
      await self.makeStore().send(.increment) { $0.count = 2 }
    }
    #expect(
      issues.failures == [
        """
        A state change does not match expectation: …

            − Counter.State(count: 2)
            + Counter.State(count: 1)

        (Expected: −, Actual: +)
        """
      ])
    #expect(issues.issues.first?.fileID == "TestStoreTests/SendTests.swift")
    #expect(issues.issues.first?.line == line)
  }

  @Test func aClosureThatSetsTheOldValue() async {
    let issues = await issues {
      await self.makeStore().send(.increment) { $0.count = 0 }
    }
    #expect(
      issues.failures == [
        """
        A state change does not match expectation: …

            − Counter.State(count: 0)
            + Counter.State(count: 1)

        (Expected: −, Actual: +)
        """
      ])
  }

  @Test func anUnexpectedChange() async {
    let issues = await issues { await self.makeStore().send(.increment) }
    #expect(
      issues.failures == [
        """
        State was not expected to change, but a change occurred: …

            − Counter.State(count: 0)
            + Counter.State(count: 1)

        (Expected: −, Actual: +)
        """
      ])
  }

  @Test func aClosureThatChangesNothing() async {
    let issues = await issues {
      await self.makeStore().send(.nothing) { $0.count = 0 }
    }
    #expect(
      issues.failures == [
        """
        Expected state to change, but no change occurred.

        The trailing closure made no observable modifications to state. If no change to state is \
        expected, omit the trailing closure.
        """
      ])
  }

  @Test func aClosureThatThrows() async {
    let issues = await issues {
      await self.makeStore().send(.increment) { _ in throw Failure() }
    }
    #expect(issues.failures == ["Threw error: no luck"])
  }

  @Test func aFailureLeavesTheActualState() async {
    await issues {
      let store = self.makeStore()
      await store.send(.increment) { $0.count = 10 }
      await store.send(.increment) { $0.count = 2 }
      #expect(store.state.count == 2)
    }
    .expect(count: 1)
  }

  @Test func unreceivedActions() async {
    let issues = await issues {
      let store = self.makeStore()
      await store.send(.request)
      await store.send(.nothing)
      await store.receive(.response) { $0.count = 1 }
    }
    #expect(
      issues.failures.first == """
        Must handle 1 received action before sending an action. …

        Unhandled actions: [
          [0]: .response
        ]
        """)
  }

  @Test func aDifferenceThatDoesNotShow() async {
    struct Odd: Equatable, CustomDumpStringConvertible, CustomStringConvertible {
      var isOdd = false
      var customDumpDescription: String { "number" }
      var description: String { "a number" }
      static func == (lhs: Self, rhs: Self) -> Bool { lhs.isOdd == rhs.isOdd }
    }
    let issues = await issues {
      let store = TestStore(initialState: Odd()) {
        Reduce<Odd, Bool> { state, action in
          state.isOdd = action
          return .none
        }
      }
      await store.send(true)
    }
    #expect(issues.firstLines == ["State was not expected to change, but a change occurred: …"])
  }

  @Test func actionsThatAreNotEquatable() async {
    let store = TestStore(initialState: 0) {
      Reduce<Int, () -> Int> { state, action in
        state = action()
        return .none
      }
    }
    await store.send({ 42 }) { $0 = 42 }
  }
}

extension Issues {
  fileprivate func expect(count: Int) { #expect(self.issues.count == count) }
}
