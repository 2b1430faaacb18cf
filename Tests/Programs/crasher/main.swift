// Records actions until one of them ends the program, to be started by a test.
//
// crasher LOG HOW: with 'trap' the third action traps in its reducer, with 'exit' the program ends
// after it without closing the recording.
import ComposableArchitecture
import Foundation
import Retrace

@Reducer
struct Crasher {
  struct State: Equatable { var count = 0 }
  enum Action: Equatable { case step(Int), trap }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .step(let by): state.count += by
      case .trap: preconditionFailure("This reducer traps, as the test wants it.")
      }
      return .none
    }
  }
}

let recording = try Recording(at: CommandLine.arguments[1])
let store = Store(initialState: Crasher.State()) {
  Crasher().recorded(by: recording)
}
store.send(.step(1))
store.send(.step(20))
store.send(CommandLine.arguments[2] == "trap" ? .trap : .step(300))
exit(0)
