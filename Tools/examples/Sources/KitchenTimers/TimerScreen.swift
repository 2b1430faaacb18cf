import ComposableArchitecture

/// What stands for the list's view: one line a timer, each from a store of its own.
@MainActor
struct TimerScreen {
  let store: StoreOf<TimerList>

  var rows: [StoreOf<KitchenTimer>] {
    Array(self.store.scope(state: \.timers, action: \.timers))
  }

  var lines: [String] {
    self.rows.map { "\($0.name) \($0.secondsLeft) s\($0.isRunning ? "…" : "")" }
  }
}
