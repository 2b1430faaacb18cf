import ComposableArchitecture
import DependenciesTestSupport
import Testing

@testable import Texts

/// Spellings that the texts have from earlier versions. They still compile, with a warning that
/// names the present one.
@MainActor
@Suite(.dependencies)
struct OlderSpellingTests {
  @available(*, deprecated)
  @Test
  func sharedOfAValue() async {
    let store = TestStore(initialState: Feature.State(count: Shared(0))) {
      Feature()
    }

    await store.send(.incrementButtonTapped) {
      $0.$count.withLock { $0 = 1 }
    }
  }

  @available(*, deprecated)
  @Test
  func aSharedValueIsAssigned() async {
    @Shared(.appStorage("count")) var count = 42
    count = 42  // Whatever was there before.

    let store = TestStore(initialState: ParentFeature.State()) {
      ParentFeature()
    }
    await store.send(.feature1(.buttonTapped)) {
      $0.feature1.count = 43
    }
    await store.send(.feature1(.buttonTapped)) { _ in
      count = 44
    }
    await store.send(.feature1(.buttonTapped)) {
      $0.feature1.count = 45
      $0.feature2.count = 45
    }
  }
}
