import ComposableArchitecture
import Testing

@Reducer
private struct Counter {
  struct State: Equatable {
    var count = 0
    var other = 0
    var changes: [String] = []
    var isFinished = false
  }
  enum Action: Equatable { case add(Int), other, finish }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .add(let value): state.count += value
      case .other: state.other += 1
      case .finish: state.isFinished = true
      }
      return .none
    }
    .onChange(of: \.count) { oldValue, newValue in
      Reduce { state, action in
        state.changes.append("\(oldValue)→\(newValue)")
        return newValue > 9 ? .send(.finish) : .none
      }
    }
    .onChange(of: \.other) { oldValue, state in
      state.changes.append("other \(oldValue)")
      return .none
    }
  }
}

/// Reducers that run when a value has changed.
@MainActor
@Suite
struct OnChangeTests {
  @Test func onlyChangesAreTold() {
    let store = Store(initialState: Counter.State()) { Counter() }
    store.send(.add(2))
    store.send(.add(0))
    store.send(.other)
    #expect(store.now.changes == ["0→2", "other 0"])
    store.send(.add(8))
    #expect(store.now.isFinished)
  }
}
