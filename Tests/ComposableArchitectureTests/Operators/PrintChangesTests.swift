import ComposableArchitecture
import Dispatch
import Testing

/// Printing of actions and changes.
@MainActor
@Suite
struct PrintChangesTests {
  @Test func eachChangeIsPrinted() {
    let printed = LockIsolated<[String]>([])
    let queue = DispatchQueue(label: "test")
    let store = Store<Int, Int>(initialState: 0) {
      Reduce { state, action in
        state += action
        return .none
      }
      ._printChanges(
        _ReducerPrinter(
          printChange: { action, old, new in
            printed.withValue { $0.append("\(action): \(old) → \(new)") }
          }, queue: queue))
    }
    store.send(2)
    store.send(3)
    queue.sync {}
    #expect(printed.value == ["2: 0 → 2", "3: 2 → 5"])
    PrintingOfChanges.$isOff.withValue(true) { _ = store.send(4) }
    queue.sync {}
    #expect(printed.value.count == 2)
    #expect(store.now == 9)
  }

  @Test func noPrinterPrintsNothing() {
    let store = Store<Int, Int>(initialState: 0) {
      Reduce { state, action in
        state += action
        return .none
      }
      ._printChanges(nil)
    }
    store.send(2)
    #expect(store.now == 2)
  }
}
