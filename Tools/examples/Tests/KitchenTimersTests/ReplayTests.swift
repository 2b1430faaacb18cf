import ComposableArchitecture
import Retrace
import TemporaryLogs
import XCTest

@testable import KitchenTimers

@MainActor
final class ReplayTests: XCTestCase {
  /// Timers that run side by side: one is stopped, one removed while it runs, one comes to its end.
  private func session() async throws -> RecordedSession<TimerList> {
    let clock = TestClock()
    return try await RecordedSession(TimerList.State()) {
      TimerList()
    } withDependencies: {
      $0.continuousClock = clock
    } run: { store in
      store.send(.addButtonTapped(name: "Eggs", seconds: 4))
      store.send(.addButtonTapped(name: "Tea", seconds: 2))
      store.send(.addButtonTapped(name: "Rice", seconds: 9))
      let ids = store.timers.ids
      let tasks = ids.map { store.send(.timers(.element(id: $0, action: .startButtonTapped))) }
      await clock.advance(by: .seconds(1))
      store.send(.timers(.element(id: ids[0], action: .stopButtonTapped)))
      store.send(.deleted([2]))
      await clock.advance(by: .seconds(2))
      for task in tasks { await task.finish() }
      XCTAssertEqual(store.timers.map(\.name), ["Tea", "Eggs"])
      store.send(.moved([0], 2))
      XCTAssertEqual(store.timers.map(\.name), ["Eggs", "Tea"])
    }
  }

  func testALiveSessionIsReplayed() async throws {
    let session = try await self.session()
    XCTAssertEqual(try session.differences { TimerList() }, [])
  }

  func testATimerByItself() async throws {
    let session = try await RecordedSession(
      KitchenTimer.State(id: UUID(), name: "Tea", secondsLeft: 3)
    ) {
      KitchenTimer()
    } withDependencies: {
      $0.continuousClock = ImmediateClock()
    } run: { store in
      await store.send(.startButtonTapped).finish()
      XCTAssertEqual(store.secondsLeft, 0)
    }
    XCTAssertEqual(session.texts.count, 6)
    XCTAssertEqual(try session.differences { KitchenTimer() }, [])
  }

  func testMutants() async throws {
    let session = try await self.session()
    func check(
      _ kind: Divergence.Kind, _ action: Int, _ path: String, line: UInt = #line,
      _ change:
        @escaping (
          inout TimerList.State, TimerList.Action,
          (inout TimerList.State, TimerList.Action) -> Effect<TimerList.Action>
        ) -> Effect<TimerList.Action>
    ) throws {
      let divergence = try session.divergence { TimerList().changed(change) }
      let message = divergence?.description ?? "no divergence"
      XCTAssertEqual(divergence?.kind, kind, message, line: line)
      XCTAssertEqual(divergence?.action, action, message, line: line)
      XCTAssertEqual(divergence?.path, path, message, line: line)
    }
    // Other arithmetic, and a branch that is dropped.
    try check(.state, 7, "timers[0].secondsLeft") { state, action, original in
      if case .timers(.element(let id, .ticked)) = action { state.timers[id: id]?.secondsLeft += 2 }
      return original(&state, action)
    }
    try check(.state, 14, "timers[0].id") { state, action, original in
      action.is(\.sortButtonTapped) ? .none : original(&state, action)
    }
    // Reads: one more, another one.
    try check(.read, 1, "uuid") { state, action, original in
      @Dependency(\.uuid) var uuid
      if case .addButtonTapped("Eggs", _) = action { _ = uuid() }
      return original(&state, action)
    }
    try check(.read, 3, "date") { state, action, original in
      @Dependency(\.date.now) var now
      if case .addButtonTapped("Rice", _) = action { _ = now }
      return original(&state, action)
    }
    // Effects: one less, one more, another name.
    try check(.effect, 4, "") { state, action, original in
      let effect = original(&state, action)
      guard case .timers(.element(_, .startButtonTapped)) = action else { return effect }
      return .none
    }
    try check(.effect, 3, "ring") { state, action, original in
      let effect = original(&state, action)
      return state.timers.count == 3 ? .merge(effect, .run(name: "ring") { _ in }) : effect
    }
    try check(.effect, 4, "tick") { state, action, original in
      let effect = original(&state, action)
      guard case .timers(.element(_, .startButtonTapped)) = action else { return effect }
      return .run(name: "tick") { _ in }
    }
  }
}
