import ComposableArchitecture
import DependenciesTestSupport
import Foundation
import IssueReporting
import Retrace
import TemporaryLogs
import XCTest

@testable import KitchenTimers

@MainActor
final class TimerListTests: XCTestCase {
  let clock = TestClock()

  func testAddMoveDelete() async {
    let store = self.store()
    await store.send(.addButtonTapped(name: "Eggs", seconds: 240)) {
      $0.timers = [KitchenTimer.State(id: UUID(0), name: "Eggs", secondsLeft: 240)]
    }
    await store.send(.addButtonTapped(name: "Tea", seconds: 180)) {
      $0.timers.append(KitchenTimer.State(id: UUID(1), name: "Tea", secondsLeft: 180))
    }
    await store.send(.moved([1], 0)) {
      $0.timers.move(fromOffsets: [1], toOffset: 0)
    }
    XCTAssertEqual(store.state.timers.map(\.name), ["Tea", "Eggs"])
    await store.send(.deleted([0])) {
      $0.timers = [KitchenTimer.State(id: UUID(0), name: "Eggs", secondsLeft: 240)]
    }
  }

  func testTimersRunByThemselves() async {
    let store = self.store(eggs: 3, tea: 2)
    await store.send(\.timers[id: UUID(0)].startButtonTapped) {
      $0.timers[id: UUID(0)]?.isRunning = true
    }
    await store.send(\.timers[id: UUID(1)].startButtonTapped) {
      $0.timers[id: UUID(1)]?.isRunning = true
    }
    XCTAssertEqual(store.state.runningCount, 2)
    await self.clock.advance(by: .seconds(1))
    await store.receive(\.timers[id: UUID(0)].ticked) {
      $0.timers[id: UUID(0)]?.secondsLeft = 2
    }
    await store.receive(\.timers[id: UUID(1)].ticked) {
      $0.timers[id: UUID(1)]?.secondsLeft = 1
    }
    await store.send(\.timers[id: UUID(0)].stopButtonTapped) {
      $0.timers[id: UUID(0)]?.isRunning = false
    }
    await self.clock.advance(by: .seconds(1))
    await store.receive(\.timers[id: UUID(1)].ticked) {
      $0.timers[id: UUID(1)]?.secondsLeft = 0
      $0.timers[id: UUID(1)]?.isRunning = false
    }
    await store.receive(\.timers[id: UUID(1)].delegate.finished)
    await self.clock.advance(by: .milliseconds(300))
    await store.receive(\.sortButtonTapped) {
      $0.timers.swapAt(0, 1)
    }
    await store.send(\.timers[id: UUID(1)].stopButtonTapped) {
      $0.timers.remove(id: UUID(1))
    }
  }

  func testRemovalStopsATimer() async {
    let store = self.store(eggs: 3, tea: 2)
    await store.send(\.timers[id: UUID(0)].startButtonTapped) {
      $0.timers[id: UUID(0)]?.isRunning = true
    }
    await self.clock.advance(by: .seconds(1))
    await store.receive(\.timers[id: UUID(0)].ticked) {
      $0.timers[id: UUID(0)]?.secondsLeft = 2
    }
    await store.send(.deleted([0])) {
      $0.timers.remove(at: 0)
    }
    await self.clock.advance(by: .seconds(10))
  }

  func testStartedTwiceItTicksOnce() async {
    let store = self.store(eggs: 9, tea: 9)
    await store.send(\.timers[id: UUID(0)].startButtonTapped) {
      $0.timers[id: UUID(0)]?.isRunning = true
    }
    await store.send(\.timers[id: UUID(0)].startButtonTapped)
    await self.clock.advance(by: .seconds(1))
    await store.receive(\.timers[id: UUID(0)].ticked) {
      $0.timers[id: UUID(0)]?.secondsLeft = 8
    }
    await store.send(\.timers[id: UUID(0)].stopButtonTapped) {
      $0.timers[id: UUID(0)]?.isRunning = false
    }
  }

  func testNotExhaustive() async {
    let store = self.store(eggs: 3, tea: 2)
    store.exhaustivity = .off
    await store.send(\.timers[id: UUID(1)].startButtonTapped)
    await self.clock.advance(by: .seconds(3))
    await store.receive(\.sortButtonTapped)
    XCTAssertEqual(store.state.timers.map(\.name), ["Tea", "Eggs"])
  }

  func testAnEffectThatStillRunsFailsTheTest() async {
    await withExpectedIssue {
      let store = self.store(eggs: 3, tea: 2)
      await store.send(\.timers[id: UUID(0)].startButtonTapped) {
        $0.timers[id: UUID(0)]?.isRunning = true
      }
    }
  }

  func testRowsHaveStoresOfTheirOwn() async {
    let store = Store(
      initialState: TimerList.State(timers: [
        KitchenTimer.State(id: UUID(0), name: "Eggs", secondsLeft: 4),
        KitchenTimer.State(id: UUID(1), name: "Tea", secondsLeft: 3),
      ])
    ) {
      TimerList()
    } withDependencies: {
      $0.continuousClock = self.clock
    }
    let screen = TimerScreen(store: store)
    let tea = screen.rows[1]
    let task = tea.send(.startButtonTapped)
    XCTAssertEqual(screen.lines, ["Eggs 4 s", "Tea 3 s…"])
    store.send(.moved([1], 0))
    XCTAssertEqual(screen.lines, ["Tea 3 s…", "Eggs 4 s"])
    tea.send(.ticked)
    XCTAssertEqual(screen.lines, ["Tea 2 s…", "Eggs 4 s"])
    store.send(.deleted([0]))
    await task.finish()
    XCTAssertEqual(screen.lines, ["Eggs 4 s"])
  }

  func testRecordedAndReplayed() async throws {
    let log = TemporaryLog()
    let recording = try Recording(at: log.path)
    let store = Store(initialState: TimerList.State()) {
      TimerList()
        .dependency(\.uuid, .incrementing)
        .recorded(by: recording)
    } withDependencies: {
      $0.continuousClock = ImmediateClock()
    }
    store.send(.addButtonTapped(name: "Eggs", seconds: 4))
    store.send(.addButtonTapped(name: "Tea", seconds: 3))
    store.send(.moved([1], 0))
    await store.send(.timers(.element(id: UUID(0), action: .startButtonTapped))).finish()
    store.send(.deleted([1]))
    try recording.close()

    let states = try log.states { TimerList().dependency(\.uuid, .incrementing) }
    XCTAssertEqual(states.last, store.withState { $0 })
    XCTAssertEqual(states.last?.timers.map(\.name), ["Eggs"])
    XCTAssertEqual(states.filter { $0.runningCount == 1 }.count, 4)
  }

  private func store(eggs: Int, tea: Int) -> TestStoreOf<TimerList> {
    self.store(timers: [
      KitchenTimer.State(id: UUID(0), name: "Eggs", secondsLeft: eggs),
      KitchenTimer.State(id: UUID(1), name: "Tea", secondsLeft: tea),
    ])
  }

  private func store(timers: IdentifiedArrayOf<KitchenTimer.State> = []) -> TestStoreOf<TimerList> {
    TestStore(initialState: TimerList.State(timers: timers)) {
      TimerList()
    } withDependencies: {
      $0.continuousClock = self.clock
      $0.uuid = .incrementing
    }
  }
}
