import Clocks
import ConcurrencyExtras
import IssueReporting
import TestSupport
import Testing

@Suite(.mainSerialExecutor) struct TestClockTests {
  @Test func sleepsEndAtTheirOwnTime() async throws {
    let clock = TestClock()
    let woken = LockIsolated<[(Int, Duration)]>([])
    let tasks = [3, 1, 2].map { seconds in
      Task {
        try await clock.sleep(for: .seconds(seconds))
        let now = clock.now
        woken.withValue { $0.append((seconds, TestClock<Duration>.Instant().duration(to: now))) }
      }
    }
    await clock.advance(by: .milliseconds(999))
    #expect(woken.value.isEmpty)
    await clock.advance(by: .milliseconds(1))
    #expect(woken.value.map(\.0) == [1])
    await clock.advance(by: .seconds(10))
    for task in tasks { try await task.value }
    #expect(woken.value.map(\.0) == [1, 2, 3])
    #expect(clock.now == .init(offset: .seconds(11)))
  }

  @Test func aSleepAfterASleepIsOnTheWay() async throws {
    let clock = TestClock()
    let task = Task {
      for _ in 0..<3 { try await clock.sleep(for: .seconds(1)) }
      return clock.now
    }
    await clock.advance(by: .seconds(5))
    #expect(try await task.value == .init(offset: .seconds(3)))
  }

  @Test func aSleepUntilNowWaitsForTheClock() async throws {
    let clock = TestClock()
    let done = LockIsolated(false)
    let task = Task {
      try await clock.sleep(until: clock.now)
      done.setValue(true)
    }
    await Task.megaYield()
    #expect(!done.value)
    await clock.advance()
    try await task.value
    #expect(done.value)
  }

  @Test func aSleepUntilThePastDoesNotWait() async throws {
    let clock = TestClock<Duration>(now: .init(offset: .seconds(5)))
    try await clock.sleep(until: .init(offset: .seconds(4)))
    await clock.advance(to: .init(offset: .seconds(1)))
    #expect(clock.now == .init(offset: .seconds(5)))
  }

  @Test func aCancelledSleepThrowsAndIsGone() async throws {
    let clock = TestClock()
    let task = Task { try await clock.sleep(for: .seconds(1)) }
    await Task.megaYield()
    await #expect(throws: SuspensionError.self) { try await clock.checkSuspension() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    try await clock.checkSuspension()
    await #expect(throws: CancellationError.self) {
      let task = Task {
        while !Task.isCancelled { await Task.yield() }
        try await clock.sleep(for: .seconds(1))
      }
      task.cancel()
      try await task.value
    }
  }

  @Test func runEndsAllSleeps() async throws {
    let clock = TestClock()
    let task = Task {
      for second in 1...10 { try await clock.sleep(for: .seconds(second)) }
    }
    await clock.run(timeout: .seconds(600))
    try await task.value
    #expect(clock.now == .init(offset: .seconds(55)))
  }

  @Test func runGivesUpOnWhatNeverEnds() async {
    let clock = TestClock()
    let task = Task { for await _ in clock.timer(interval: .seconds(1)) {} }
    let issues = Issues()
    await withIssueReporters([issues]) { await clock.run(timeout: .milliseconds(20)) }
    await task.value
    #expect(
      issues.texts.first?.hasPrefix(
        """
        Expected all sleeps to finish, but some are still suspending after 0.02 seconds.

        """) == true)
  }
}
