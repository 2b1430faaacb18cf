import ComposableArchitecture
import DependenciesTestSupport
import Testing

@testable import Texts

@MainActor
@Suite(.dependencies)
struct SharedTests {
  @Test
  func increment() async {
    let store = TestStore(initialState: Feature.State(count: Shared(value: 0))) {
      Feature()
    }

    await store.send(.incrementButtonTapped) {
      $0.$count.withLock { $0 = 1 }
    }
  }

  @Test
  func incrementToAWrongNumber() async {
    let reports = await reports {
      let store = TestStore(initialState: Feature.State(count: Shared(value: 0))) {
        Feature()
      }

      await store.send(.incrementButtonTapped) {
        $0.$count.withLock { $0 = 2 }
      }
    }
    #expect(
      reports == [
        """
        State was not expected to change, but a change occurred: …

            − Feature.State(_count: #1 2)
            + Feature.State(_count: #1 1)

        (Expected: −, Actual: +)
        """
      ])
  }

  @Test
  func changeInAnEffectIsNotedAtTheEnd() async {
    let line = #line + 2
    let reports = await reports {
      let store = TestStore(initialState: SimpleFeature.State(count: Shared(value: 0))) {
        SimpleFeature()
      }
      await store.send(.incrementButtonTapped)
    }
    #expect(
      reports == [
        """
        Tracked changes to 'Shared<Int>@TextsTests/SharedTests.swift:\(line)' but failed to assert: …

          − 0
          + 1

        (Before: −, After: +)

        Call 'Shared<Int>.assert' to exhaustively test these changes, or call 'skipChanges' to \
        ignore them.
        """
      ])
  }

  @Test
  func changeInAnEffect() async {
    let store = TestStore(initialState: SimpleFeature.State(count: Shared(value: 0))) {
      SimpleFeature()
    }
    await store.send(.incrementButtonTapped)
    store.assert {
      $0.$count.withLock { $0 = 1 }
    }
  }

  @Test
  func changeInAResponseIsAssertedAtTheFirstAction() async {
    let store = TestStore(initialState: SharedInResponse.Feature.State()) {
      SharedInResponse.Feature()
    }
    await store.send(.tap) {
      $0.$bool.withLock { $0 = true }
    }
    await store.receive(.response)
  }

  @Test
  func changeInAResponseIsNotAssertedAtTheResponse() async {
    let reports = await reports {
      let store = TestStore(initialState: SharedInResponse.Feature.State()) {
        SharedInResponse.Feature()
      }
      await store.send(.tap)

      await store.receive(.response) {
        $0.$bool.withLock { $0 = true }
      }
    }
    #expect(
      reports == [
        """
        State was not expected to change, but a change occurred: …

            − SharedInResponse.Feature.State(_bool: #1 false)
            + SharedInResponse.Feature.State(_bool: #1 true)

        (Expected: −, Actual: +)
        """,
        """
        Expected state to change, but no change occurred.

        The trailing closure made no observable modifications to state. If no change to state is \
        expected, omit the trailing closure.
        """,
      ])
  }

  @Test
  func childAndParentShare() async {
    let store = TestStore(
      initialState: ExplicitlyShared.ParentFeature.State(count: Shared(value: 0))
    ) {
      ExplicitlyShared.ParentFeature()
    }
    await store.send(.presentButtonTapped) {
      $0.child = ExplicitlyShared.ChildFeature.State(count: $0.$count)
    }
    await store.send(.child(.incrementButtonTapped)) {
      $0.$count.withLock { $0 = 1 }
    }
    #expect(store.state.child?.count == 1)
  }

  @Test
  func derivedPart() async {
    let store = TestStore(
      initialState: DerivedShared.SignUpFeature.State(
        signUpData: Shared(value: DerivedShared.SignUpData()))
    ) {
      DerivedShared.SignUpFeature()
    }
    await store.send(.nextButtonTapped) {
      $0.path[id: 0] = DerivedShared.PhoneNumberFeature.State(
        phoneNumber: $0.$signUpData.phoneNumber)
    }
    await store.send(\.path[id: 0].numberChanged, "555") {
      $0.$signUpData.withLock { $0.phoneNumber = "555" }
    }
    #expect(store.state.path[id: 0]?.phoneNumber == "555")
  }

  @Test
  func publisher() async {
    let count = Shared(value: 0)
    let store = TestStore(initialState: ObservedShared.Feature.State(count: count)) {
      ObservedShared.Feature()
    }
    let task = await store.send(.onAppear)
    await store.receive(\.countUpdated, 0) {
      $0.updates = [0]
    }
    count.withLock { $0 = 7 }
    await store.receive(\.countUpdated, 7) {
      $0.updates = [0, 7]
    }
    await task.cancel()
  }

  @Test
  func initializers() {
    let count = Shared(value: 3)
    let handed = Initializers.Handed(count: count, other: "")
    count.withLock { $0 += 1 }
    #expect(handed.count == 4)
    #expect(Initializers.Owned(count: 5, other: "").count == 5)
    let stored = Initializers.Stored(count: 6, other: "")
    #expect(stored.count == 6)
    // Nobody asks for the default while there is a value.
    #expect(Initializers.Stored(count: Int("no number")!, other: "").count == 6)
  }
}
