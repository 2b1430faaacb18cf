import ComposableArchitecture
import TestSupport
import Testing

/// Notes what a store tells a recorder.
private final class Notes<State, Action>: StoreHook<State, Action> {
  let lines: LockIsolated<[String]>

  init(lines: LockIsolated<[String]>) { self.lines = lines }

  private func note(_ line: String) { self.lines.withValue { $0.append(line) } }

  override func storeDidStart(initialState: State) { self.note("start \(initialState)") }
  override func actionWillReduce(_ action: Action, number: Int, origin: ActionOrigin) {
    let before = self.currentState().map { "\($0)" } ?? "none"
    self.note("\(number) \(action) \(origin), before \(before)")
  }
  override func actionDidReduce(number: Int, state: State) { self.note("\(number) -> \(state)") }
  override func effectDidStart(_ effect: EffectStart) {
    self.note("\(effect.action).\(effect.index) starts")
  }
  override func effectDidEnd(action: Int, index: Int, _ end: EffectEnd) {
    self.note("\(action).\(index) \(end)")
  }
  override func storeDidEnd() { self.lines.withValue { $0.append("end") } }
}

private struct Noted<Base: Reducer>: _HookedReducer {
  typealias State = Base.State
  typealias Action = Base.Action
  let base: Base
  let lines: LockIsolated<[String]>

  func makeHook() -> StoreHook<Base.State, Base.Action>? { Notes(lines: self.lines) }
  func _reduce(into state: inout Base.State, action: Base.Action) -> Effect<Base.Action> {
    self.base._reduce(into: &state, action: action)
  }
}

@Suite(.mainSerialExecutor) @MainActor
struct RecordingTests {
  @Test func aRecorderAtTheRoot() async {
    let lines = LockIsolated<[String]>([])
    do {
      let store = TestStore(initialState: 0) {
        Noted(
          base: Reduce<Int, Int> { state, action in
            state += action
            return action == 1 ? .run { send in await send(10) } : .none
          }, lines: lines)
      }
      await store.send(1) { $0 = 1 }
      await store.receive(10) { $0 = 11 }
    }
    #expect(
      lines.value == [
        "start 0",
        "1 1 user, before 0",
        "1 -> 1",
        "1.0 starts",
        "2 10 effect(startedBy: 1), before 1",
        "2 -> 11",
        "1.0 finished",
        "end",
      ])
  }
}
