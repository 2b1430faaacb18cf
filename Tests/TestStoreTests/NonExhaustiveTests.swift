import ComposableArchitecture
import TestSupport
import Testing

@Reducer
private struct Form {
  struct State: Equatable {
    var name = ""
    var count = 0
    var isSaved = false
  }
  enum Action: Equatable {
    case name(String), indirect, counted, saved, forever
  }
  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .name(let name):
        state.name = name
        state.count += 1
        return .none
      case .indirect:
        return .merge(.send(.counted), .send(.saved))
      case .counted:
        state.count += 1
        return .none
      case .saved:
        state.isSaved = true
        return .none
      case .forever:
        return .run { _ in try await Task.never() }
      }
    }
  }
}

@Suite(.mainSerialExecutor) @MainActor
struct NonExhaustiveTests {
  private func makeStore(_ exhaustivity: Exhaustivity = .off) -> TestStoreOf<Form> {
    let store = TestStore(initialState: Form.State()) { Form() }
    store.exhaustivity = exhaustivity
    return store
  }

  @Test func aPartOfTheChange() async {
    let issues = await issues {
      let store = self.makeStore()
      await store.send(.name("Blob")) { $0.name = "Blob" }
      await store.send(.name("Blob Jr."))
      await store.send(.name("Blob Sr.")) {
        #expect($0.count == 3)
        $0.count = 3
      }
      await store.send(.forever)
      await store.send(.indirect)
    }
    #expect(issues.issues.isEmpty)
  }

  @Test func aWrongPart() async {
    let issues = await issues {
      let store = self.makeStore()
      await store.send(.name("Blob")) { $0.name = "Bob" }
    }
    #expect(
      issues.failures == [
        """
        A state change does not match expectation: …

            \u{2007} Form.State(
            −   name: "Bob",
            +   name: "Blob",
            \u{2007}   count: 1,
            \u{2007}   isSaved: false
            \u{2007} )

        (Expected: −, Actual: +)
        """
      ])
  }

  @Test func skippedPartsAreShown() async {
    let issues = await issues {
      let store = self.makeStore(.off(showSkippedAssertions: true))
      await store.send(.name("Blob")) { $0.name = "Blob" }
    }
    #expect(issues.failures == [])
    #expect(
      issues.expected == [
        """
        Skipped assertions. …

        A state change does not match expectation: …

            \u{2007} Form.State(
            \u{2007}   name: "Blob",
            −   count: 0,
            +   count: 1,
            \u{2007}   isSaved: false
            \u{2007} )

        (Expected: −, Actual: +)
        """
      ])
  }

  @Test func anIndirectChangeIsSeenWhenReceived() async {
    let store = self.makeStore()
    await store.send(.indirect)
    #expect(store.state.count == 0)
    await store.receive(.counted) { $0.count = 1 }
    #expect(store.state.count == 1)
    await store.send(.indirect)
    await store.skipReceivedActions(strict: false)
    store.assert {
      $0.count = 2
      $0.isSaved = true
    }
  }

  @Test func receivingPassesOverOthers() async {
    let issues = await issues {
      let store = self.makeStore()
      await store.send(.indirect)
      await store.receive(.saved) { $0.isSaved = true }
      #expect(store.state == Form.State(count: 1, isSaved: true))
    }
    #expect(issues.issues.isEmpty)

    let shown = await TestStoreTests.issues {
      let store = self.makeStore(.off(showSkippedAssertions: true))
      await store.send(.indirect)
      await store.receive(\.saved) { $0.isSaved = true }
    }
    #expect(shown.failures == [])
    #expect(
      shown.expected == [
        """
        Skipped assertions. …

        1 received action was skipped:

        [
          [0]: .counted
        ]
        """
      ])
  }

  @Test func nothingMatches() async {
    let issues = await issues {
      let store = self.makeStore()
      await store.send(.indirect)
      await store.receive(.forever)
      await store.receive(\.forever)
      #expect(store.state.count == 0)
      await store.receive(.counted) { $0.count = 1 }
    }
    #expect(
      issues.firstLines == [
        "Expected to receive the following action, but didn't: …",
        "Expected to receive an action matching case path, but didn't get one.",
      ])
  }

  @Test func nothingMatchesInTime() async {
    let issues = await issues {
      let store = self.makeStore()
      await store.send(.forever)
      await store.receive(.counted, timeout: .milliseconds(10))
    }
    #expect(
      issues.firstLines == [
        "Expected to receive a matching action, but received none after 0.01 seconds. …",
        "Expected to receive the following action, but didn't: …",
      ])
  }

  @Test func sendingDropsWhatWasReceived() async {
    let issues = await issues {
      let store = self.makeStore(.off(showSkippedAssertions: true))
      await store.send(.indirect)
      await store.send(.name("Blob")) {
        $0.name = "Blob"
        $0.count = 2
      }
    }
    #expect(issues.failures == [])
    #expect(
      issues.expected == [
        """
        Skipped assertions. …

        Must handle 2 received actions before sending an action. …

        Unhandled actions: [
          [0]: .counted,
          [1]: .saved
        ]
        """,
        """
        Skipped assertions. …

        2 received actions were skipped:

        [
          [0]: .counted,
          [1]: .saved
        ]
        """,
      ])
  }

  @Test func theEndOfTheTestIsShown() async {
    let issues = await issues {
      let store = self.makeStore(.off(showSkippedAssertions: true))
      await store.send(.forever)
      await store.send(.indirect)
    }
    #expect(issues.failures == [])
    #expect(issues.expected.count == 2)
    #expect(issues.expected[0].contains("The store received 2 unexpected actions."))
    #expect(issues.expected[1].contains("An effect returned for this action is still running."))
  }

  @Test func aThrownErrorFails() async {
    struct Failure: Error {}
    for exhaustivity in [Exhaustivity.off, .off(showSkippedAssertions: true)] {
      let issues = await issues {
        await self.makeStore(exhaustivity).send(.name("Blob")) { _ in throw Failure() }
      }
      #expect(issues.failures == ["Threw error: Failure()"])
    }
  }

  @Test func forAWhile() async {
    let store = self.makeStore(.on)
    await store.withExhaustivity(.off) {
      await store.send(.name("Blob"))
    }
    store.withExhaustivity(.off(showSkippedAssertions: false)) {
      #expect(store.exhaustivity == .off)
    }
    #expect(store.exhaustivity == .on)
    await store.send(.name("Blob Jr.")) {
      $0.name = "Blob Jr."
      $0.count = 2
    }
  }
}
