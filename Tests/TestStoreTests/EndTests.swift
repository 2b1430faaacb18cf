import ComposableArchitecture
import TestSupport
import Testing

@Reducer
private struct Work {
  struct State: Equatable { var count = 0 }
  enum Action: Equatable {
    case forever, stubborn, sleep, chain, stop, done, both
    case failed(String)
  }
  enum ID { case work }
  @Dependency(\.continuousClock) var clock

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .forever:
        return .run { _ in try await Task.never() }.cancellable(id: ID.work)
      case .stubborn:
        return .run { _ in
          // Does not notice that it is cancelled.
          await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
        .cancellable(id: ID.work)
      case .sleep:
        return .run { send in
          try await clock.sleep(for: .seconds(1))
          await send(.done)
        }
      case .chain:
        return .concatenate(
          .run { _ in try await clock.sleep(for: .seconds(1)) },
          .run { _ in try await clock.sleep(for: .seconds(1)) })
      case .stop:
        return .cancel(id: ID.work)
      case .done:
        state.count += 1
        return .run { _ in try await clock.sleep(for: .seconds(1)) }
      case .both:
        return .merge(.send(.stop), .send(.failed("no")))
      case .failed:
        return .none
      }
    }
  }
}

@Suite(.mainSerialExecutor) @MainActor
struct EndTests {
  private let clock = TestClock()

  private func makeStore() -> TestStoreOf<Work> {
    TestStore(initialState: Work.State()) {
      Work()
    } withDependencies: {
      $0.continuousClock = self.clock
    }
  }

  @Test func unreceivedActions() async {
    let line: UInt = #line + 3
    let issues = await issues {
      let store = TestStore(initialState: Work.State()) { Work() }
      await store.send(.both)
    }
    #expect(
      issues.failures == [
        """
        The store received 2 unexpected actions. …

          Unhandled actions:
            • .stop
            • .failed

        Assert them with "store.receive", skip them with "await store.skipReceivedActions()", or \
        let the test store not be exhaustive: "store.exhaustivity = .off".
        """
      ])
    #expect(issues.issues.map(\.line) == [line])
  }

  @Test func runningEffects() async {
    let line: UInt = #line
    let issues = await issues {
      let store = self.makeStore()
      await store.send(.forever)
      await store.send(.sleep)
      await self.clock.advance(by: .seconds(1))
      await store.receive(.done) { $0.count = 1 }
    }
    let text = """
      An effect returned for this action is still running. It must complete before the end of the \
      test. …
      """
    #expect(issues.firstLines == [text, text])
    // The effect of the received action is told where its cause was sent.
    #expect(issues.issues.map(\.line) == [line + 3, line + 4])
  }

  @Test func laterPartsOfAConcatenation() async {
    let issues = await issues {
      let store = self.makeStore()
      await store.send(.chain)
      await self.clock.advance(by: .seconds(1))
    }
    #expect(issues.failures.count == 1)

    let store = self.makeStore()
    await store.send(.chain)
    await self.clock.advance(by: .seconds(2))
    await store.finish()
  }

  @Test func cancelledEffectsHaveEnded() async {
    let store = self.makeStore()
    await store.send(.forever)
    await store.send(.stubborn)
    await store.send(.stop)
    await store.finish()
  }

  @Test func finishing() async {
    let store = self.makeStore()
    let clock = self.clock
    await store.send(.sleep)
    Task { await clock.advance(by: .seconds(1)) }
    await store.receive(.done) { $0.count = 1 }
    Task { await clock.advance(by: .seconds(1)) }
    await store.finish()
    await store.finish(timeout: .seconds(1))
    await store.finish(timeout: 1_000_000)
  }

  @Test func finishingTooEarly() async {
    let line: UInt = #line
    let issues = await issues {
      let store = self.makeStore()
      await store.send(.forever)
      await store.finish(timeout: .milliseconds(10))
      store.timeout = 20_000_000
      await store.finish()
      store.timeout = 0
      await store.finish()
      await store.skipInFlightEffects()
    }
    #expect(
      issues.firstLines == [
        "Expected effects to finish, but there are still effects in-flight after 0.01 seconds. …",
        "Expected effects to finish, but there are still effects in-flight after 0.02 seconds. …",
        "Expected effects to finish, but there are still effects in-flight. …",
      ])
    #expect(issues.issues.prefix(3).map(\.line) == [line + 4, line + 6, line + 8])
    #expect(issues.failures[0].contains(#"try a longer "timeout""#))
    #expect(issues.failures[1].contains(#"give this assertion a "timeout""#))
  }

  @Test func finishingWithUnreceivedActions() async {
    let issues = await issues {
      let store = TestStore(initialState: 0) {
        Reduce<Int, Bool> { _, action in action ? .send(false) : .none }
      }
      await store.send(true)
      await store.finish()
      await store.receive(false)
    }
    #expect(issues.firstLines == ["The store received 1 unexpected action. …"])
  }

  @Test func aTestThatDoesNothing() async {
    let issues = await issues { _ = self.makeStore() }
    #expect(issues.issues.isEmpty)
  }

  @Test func skippingReceivedActions() async {
    let issues = await issues {
      let store = TestStore(initialState: 0) {
        Reduce<Int, Int> { state, action in
          state += action
          return action > 1 ? .merge(.send(1), .send(0)) : .none
        }
      }
      await store.send(2) { $0 = 2 }
      await store.skipReceivedActions()
      #expect(store.state == 3)
      await store.skipReceivedActions()
      await store.skipReceivedActions(strict: false)
    }
    #expect(issues.failures == ["There were no received actions to skip."])
    #expect(
      issues.expected == [
        """
        Skipped assertions. …

        2 received actions were skipped:

        [
          [0]: 1,
          [1]: 0
        ]
        """
      ])
  }

  @Test func skippingEffects() async {
    let issues = await issues {
      let store = self.makeStore()
      await store.send(.forever)
      await store.skipInFlightEffects()
      await store.send(.forever)
      await store.send(.sleep)
      store.exhaustivity = .off(showSkippedAssertions: true)
      await store.skipInFlightEffects()
      store.exhaustivity = .on
      await store.skipInFlightEffects()
      await store.skipInFlightEffects(strict: false)
    }
    #expect(issues.failures == ["There were no in-flight effects to skip."])
    #expect(
      issues.expected == [
        """
        Skipped assertions. …

        1 in-flight effect was cancelled, originating from:

        Work.Action.forever
        """,
        """
        Skipped assertions. …

        2 in-flight effects were cancelled, originating from:

        [
          [0]: .forever,
          [1]: .sleep
        ]
        """,
      ])
  }

  @Test func tasks() async {
    let store = self.makeStore()
    let task = await store.send(.forever)
    #expect(!task.isCancelled)
    await task.cancel()
    #expect(task.isCancelled)
    await task.finish()

    let chain = await store.send(.chain)
    let clock = self.clock
    Task { await clock.advance(by: .seconds(2)) }
    await chain.finish(timeout: .seconds(5))
    #expect(!chain.isCancelled)

    let nothing = await store.send(.failed(""))
    await nothing.finish()
    await nothing.cancel()
    #expect(nothing.isCancelled)
    #expect(Set([task, task, chain]).count == 2)
  }

  @Test func aTaskThatDoesNotFinish() async {
    let line: UInt = #line
    let issues = await issues {
      let store = self.makeStore()
      let task = await store.send(.forever)
      await task.finish(timeout: .milliseconds(10))
      // It is cancelled then, so that the test can end.
      await store.finish()
      store.timeout = 5_000_000
      await store.send(.forever).finish()
      await store.send(.forever).finish(timeout: 0)
      await store.finish()
    }
    #expect(
      issues.firstLines == [
        "Expected task to finish, but it is still in-flight after 0.01 seconds. …",
        "Expected task to finish, but it is still in-flight after 0.005 seconds. …",
        "Expected task to finish, but it is still in-flight. …",
      ])
    #expect(issues.issues.map(\.line) == [line + 4, line + 8, line + 9])
  }

  @Test func aCancelledTestWaitsNoLonger() async {
    let store = self.makeStore()
    let task = await store.send(.forever)
    let waiting = Task { await task.finish(timeout: .seconds(100)) }
    waiting.cancel()
    await waiting.value
    #expect(task.isCancelled)
    await store.finish()
  }

  @Test func theStoreIsFreed() async {
    weak var weakStore: TestStoreOf<Work>?
    do {
      let store = self.makeStore()
      weakStore = store
      await store.send(.sleep)
      await self.clock.advance(by: .seconds(2))
      await store.receive(.done) { $0.count = 1 }
      await store.skipInFlightEffects(strict: false)
    }
    #expect(weakStore == nil)
  }
}
