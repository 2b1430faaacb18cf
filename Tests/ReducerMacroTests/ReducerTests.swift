public import ComposableArchitecture
import Testing

@Reducer
struct Feature {
  @ObservableState
  struct State: Equatable {
    var count = 0
    var numberFact: String?
  }
  enum Action {
    case decrement
    case increment
    case response(String)
    case alert(Alert)

    enum Alert { case confirm }
  }
  private enum CancelID { case timer }
  struct Row { var id = 1 }

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      switch action {
      case .decrement:
        state.count -= 1
        return .none
      case .increment:
        state.count += 1
        return .none
      case .response(let fact):
        _ = CancelID.timer
        state.numberFact = fact
        return .none
      case .alert:
        return .none
      }
    }
  }
}

@Reducer
struct Empty {}

@Reducer
public struct PublicEmpty {}

@Reducer
struct Screens {
  @ObservableState
  enum State: Equatable {
    case loading
    case feature(Feature.State)
  }
  enum Action {
    case feature(Feature.Action)
  }
  var body: some ReducerOf<Self> {
    Reduce { state, action in .none }
  }
}

@Reducer
struct Method {
  func reduce(into state: inout Int, action: Bool) -> Effect<Bool> {
    state += action ? 1 : -1
    return .none
  }
}

@Suite struct ReducerTests {
  @Test func conformance() {
    var state = Feature.State()
    _ = Feature().reduce(into: &state, action: .increment)
    #expect(state == Feature.State(count: 1))
    let response = \Feature.Action.Cases.response
    _ = Feature().reduce(into: &state, action: response("x"))
    #expect(state.numberFact == "x")
    #expect(isRecordable(Feature.State.self))
    #expect(isRecordable(Feature.Action.self))
    #expect(isRecordable(Feature.Row.self))
  }

  @Test func absentMembers() {
    #expect(Empty.State() == Empty.State())
    _ = PublicEmpty()
    var state = 0
    _ = Method().reduce(into: &state, action: true)
    #expect(state == 1)
  }

  @Test func enumState() {
    let state = Screens.State.feature(Feature.State(count: 3))
    #expect(state.feature?.count == 3)
    #expect(state.is(\.feature))
  }
}

private func isRecordable<T>(_ type: T.Type) -> Bool {
  type is any Recordable.Type
}
