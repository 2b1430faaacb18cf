import ComposableArchitecture
import Foundation
import Testing

/// The test store, form by form.
@MainActor
struct TestStoreTests {
  @Reducer
  struct Feature {
    struct State: Equatable {
      var count = 0
      var text = ""
    }

    @CasePathable
    enum Action: Equatable {
      case tap, wait
      case response(Int), pair(Int, by: String)
    }

    @Dependency(\.date.now) var now
    @Dependency(\.continuousClock) var clock

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .tap:
          state.count += 1
          return .run { [count = state.count] send in await send(.response(count * 10)) }
        case .wait:
          return .run { _ in try await self.clock.sleep(for: .seconds(1)) }
        case .response(let value):
          state.text = "\(value)"
          return .none
        case .pair(let value, let name):
          state.text = "\(value) \(name) \(Int(self.now.timeIntervalSince1970))"
          return .none
        }
      }
    }
  }

  private func makeStore() -> TestStoreOf<Feature> {
    TestStore(initialState: Feature.State()) {
      Feature()
    } withDependencies: {
      $0.date.now = Date(timeIntervalSince1970: 7)
      $0.continuousClock = ImmediateClock()
    }
  }

  @Test func everyFormOfSendAndReceive() async {
    let store = self.makeStore()
    let task: TestStoreTask = await store.send(.tap) { $0.count = 1 }
    await store.receive(.response(10)) { $0.text = "10" }
    await task.finish()
    await store.send(\.tap) { $0.count = 2 }
    await store.receive(\.response) { $0.text = "20" }
    await store.send(\.tap) { $0.count = 3 }
    await store.receive(\.response, 30) { $0.text = "30" }
    await store.send(\.tap) { $0.count = 4 }
    await store.receive({ $0.is(\.response) }) { $0.text = "40" }
    await store.send(.tap) { $0.count = 5 }
    await store.receive(.response(50), timeout: .seconds(1)) { $0.text = "50" }
    await store.send(.tap) { $0.count = 6 }
    await store.receive(\.response, timeout: .seconds(1)) { $0.text = "60" }
    await store.send(.tap) { $0.count = 7 }
    await store.receive(\.response, 70, timeout: 1_000_000_000) { $0.text = "70" }
    await store.send(.tap) { $0.count = 8 }
    await store.receive({ $0 == .response(80) }, timeout: .seconds(1)) { $0.text = "80" }
    await store.send(\.pair, (1, by: "me")) { $0.text = "1 me 7" }
    store.assert {
      $0.count = 8
      $0.text = "1 me 7"
    }
    await store.finish()
    await store.finish(timeout: .milliseconds(1))
  }

  @Test func theStoresProperties() async {
    let store = self.makeStore()
    #expect(store.exhaustivity == .on)
    #expect(store.useMainSerialExecutor)
    #expect(!store.isDismissed)
    store.timeout = 5 * 1_000_000_000
    store.dependencies.date.now = Date(timeIntervalSince1970: 8)
    await store.send(.pair(1, by: "you")) { $0.text = "1 you 8" }
    await store.withDependencies {
      $0.date.now = Date(timeIntervalSince1970: 9)
    } operation: {
      await store.send(.pair(1, by: "you")) { $0.text = "1 you 9" }
    }
    let number: Int = store.withDependencies {
      $0.uuid = .incrementing
    } operation: {
      3
    }
    #expect(number == 3)
    await store.withExhaustivity(.off) {
      await store.send(.tap)
      await store.skipReceivedActions()
    }
    let text: String = store.withExhaustivity(.off(showSkippedAssertions: false)) {
      store.state.text
    }
    #expect(text == "10")
  }

  @Test func whatIsLeftOut() async {
    let store = self.makeStore()
    store.exhaustivity = .off
    await store.send(.tap)
    await store.receive(\.response) { $0.text = "10" }
    await store.send(.tap)
    await store.skipReceivedActions(strict: false)
    await store.skipInFlightEffects(strict: false)
    #expect(store.state == Feature.State(count: 2, text: "20"))
  }

  @Test func tasksOfATestStore() async {
    let store = self.makeStore()
    let clock = TestClock()
    store.dependencies.continuousClock = clock
    let task = await store.send(.wait)
    #expect(!task.isCancelled)
    await task.cancel()
    #expect(task.isCancelled)
    let other = await store.send(.wait)
    await clock.advance(by: .seconds(1))
    await other.finish(timeout: .seconds(1))
    #expect(Set([task, other]).count == 2)
  }

  struct Failure: Error {}

  @Test func headingsOfFailures() async {
    let issues = await issues {
      let store = self.makeStore()
      await store.send(.response(1)) { $0.text = "2" }
      await store.send(.response(2))
      await store.send(.response(2)) { _ in }
      await store.send(.response(2)) { _ in throw Failure() }
      await store.receive(.tap)
      await store.send(.tap) { $0.count = 1 }
      await store.receive(.response(11))
      await store.send(.tap) { $0.count = 2 }
      await store.send(.tap) {
        $0.count = 3; $0.text = "20"
      }
    }
    #expect(
      issues.headings == [
        "A state change does not match expectation: …",
        "State was not expected to change, but a change occurred: …",
        "Expected state to change, but no change occurred.",
        "Threw error: Failure()",
        "Expected to receive the following action, but didn't: …",
        "Received unexpected action: …",
        "Must handle 1 received action before sending an action. …",
        "The store received 2 unexpected actions. …",
      ])
  }

  @Test func headingsAboutTime() async {
    let issues = await issues {
      let store = self.makeStore()
      store.dependencies.continuousClock = TestClock()
      await store.send(.wait)
      await store.receive(\.response, timeout: .milliseconds(1))
      await store.finish(timeout: .milliseconds(1))
    }
    #expect(
      issues.headings == [
        "Expected to receive an action, but received none after 0.001 seconds. …",
        "Expected to receive an action matching case path, but didn't get one.",
        """
        Expected effects to finish, but there are still effects in-flight after 0.001 seconds. …
        """,
        """
        An effect returned for this action is still running. It must complete before the end of \
        the test. …
        """,
      ])
  }
}
