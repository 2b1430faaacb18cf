import ComposableArchitecture
import IssueReporting
import TestSupport
import Testing

/// How a store takes actions: order, re-entry, long chains.
@MainActor
@Suite
struct SendTests {
  @Test func anActionRunsBeforeSendReturns() {
    let store = Store<Int, Int>(initialState: 0) {
      Reduce {
        $0 += $1; return .none
      }
    }
    store.send(3)
    store.send(4)
    #expect(store.withState { $0 } == 7)
  }

  @Test func actionsOfSynchronousEffectsRunBeforeSendReturnsInOrder() {
    let seen = LockIsolated<[String]>([])
    let store = Store<Int, String>(initialState: 0) {
      Reduce { _, action in
        seen.withValue { $0.append(action) }
        switch action {
        case "start": return .concatenate(.send("a"), .send("b"))
        case "a": return .send("a2")
        case "b": return .send("b2")
        default: return .none
        }
      }
    }
    store.send("start")
    #expect(seen.value == ["start", "a", "b", "a2", "b2"])
  }

  @Test func mergedSendsRunInOrder() {
    let seen = LockIsolated<[Int]>([])
    let store = Store<Int, Int>(initialState: 0) {
      Reduce { _, action in
        seen.withValue { $0.append(action) }
        return action == 0 ? .merge(.send(1), .none, .send(2), .send(3)) : .none
      }
    }
    store.send(0)
    #expect(seen.value == [0, 1, 2, 3])
  }

  @Test func chainsOf100000ActionsAndEffectsNeedNoStack() throws {
    let outcome = try Program("chain").run(stackLimit: 512)
    #expect(outcome.errors == "")
    #expect(outcome.output == "chain 100000\nconcatenation 100001\n")
    #expect(outcome.status == 0)
  }

  @Test func anActionSentByAnObserverRunsBeforeTheOuterSendReturns() {
    let store = Store<Numbers, String>(initialState: Numbers()) {
      Reduce { state, action in
        if action == "tapped" { state.a += 1 } else { state.b += 1 }
        return .none
      }
    }
    withExpectedIssue {
      withObservationTracking {
        _ = store.withState { $0.a }
      } onChange: {
        MainActor.assumeIsolated { _ = store.send("follow") }
      }
      store.send("tapped")
    }
    #expect(store.withState { $0 } == Numbers(a: 1, b: 1))
  }

  @Test func sendingWhileAnActionRunsNamesTheAction() {
    let store = LockIsolated<Store<Int, String>?>(nil)
    let made = Store<Int, String>(initialState: 0) {
      Reduce { state, action in
        state += 1
        if action == "outer" {
          MainActor.assumeIsolated { _ = store.value?.send("inner") }
        }
        return .none
      }
    }
    store.setValue(made)
    let messages = LockIsolated<[String]>([])
    withIssueReporters([CollectingReporter(messages)]) {
      _ = made.send("outer")
    }
    store.setValue(nil)
    #expect(made.withState { $0 } == 2)
    #expect(
      messages.value.map { $0.prefix(while: { $0 != "…" }) }
        == [#"Sent '"inner"' while an action was being processed. "#])
  }

  struct Numbers: Equatable {
    var a = 0
    var b = 0
  }
}

struct CollectingReporter: IssueReporter {
  let messages: LockIsolated<[String]>

  init(_ messages: LockIsolated<[String]>) {
    self.messages = messages
  }

  func reportIssue(
    _ message: @autoclosure () -> String?, fileID: StaticString, filePath: StaticString,
    line: UInt, column: UInt
  ) {
    let message = message() ?? ""
    self.messages.withValue { $0.append(message) }
  }
}
