// Records actions until one of them ends the program, to be started by a test.
//
// crasher LOG HOW: with 'trap' the third action traps in its reducer, with 'exit' the program ends
// after it without closing the recording. With 'wait' it says when it is there, and waits for a signal
// that ends it, upon which the recording is closed; with 'handler' it has a handler for SIGTERM that
// says so and ends it with status 7; with 'ignore' it ignores SIGHUP.
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

nonisolated func say(_ text: StaticString) {
  write(1, text.utf8Start, text.utf8CodeUnitCount)
}

/// Not on the main actor, as the handler must not be either.
nonisolated func handleTermination() {
  signal(SIGTERM) { _ in
    say("handled\n")
    _exit(7)
  }
}

let how = CommandLine.arguments[2]
// Whoever started it may ignore them, which a program inherits.
for number in [SIGTERM, SIGHUP, SIGINT] { signal(number, SIG_DFL) }
let recording = try Recording(at: CommandLine.arguments[1])
let store = Store(initialState: Crasher.State()) {
  Crasher().recorded(by: recording)
}
store.send(.step(1))
store.send(.step(20))
store.send(how == "trap" ? .trap : .step(300))
if how == "exit" { exit(0) }
if how == "handler" { handleTermination() }
if how == "ignore" { signal(SIGHUP, SIG_IGN) }
recording.closesOnTermination()
recording.closesOnTermination()
say("ready\n")
// Nobody waits longer.
sleep(60)
exit(9)
