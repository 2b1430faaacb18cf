import Clocks
import ConcurrencyExtras
import IssueReporting
import TestSupport
import Testing

@Suite(.mainSerialExecutor) struct ClockTests {
  @Test func anImmediateClockMovesToEachDeadline() async throws {
    let clock = ImmediateClock()
    try await clock.sleep(for: .seconds(5))
    #expect(clock.now == .init(offset: .seconds(5)))
    #expect(clock.minimumResolution == .zero)
    let immediate: some Clock<Duration> = .immediate
    try await immediate.sleep(for: .seconds(100_000))
    await #expect(throws: CancellationError.self) {
      let task = Task {
        while !Task.isCancelled { await Task.yield() }
        try await clock.sleep(for: .seconds(1))
      }
      task.cancel()
      try await task.value
    }
  }

  @Test func anUnimplementedClockReportsItsUse() async throws {
    let clock = UnimplementedClock(ImmediateClock(), name: "Clock")
    let issues = Issues()
    try await withIssueReporters([issues]) {
      _ = clock.now
      _ = clock.minimumResolution
      try await clock.sleep(for: .seconds(1))
    }
    #expect(
      issues.texts == [
        "Unimplemented: Clock.now", "Unimplemented: Clock.minimumResolution",
        "Unimplemented: Clock.now", "Unimplemented: Clock.sleep",
      ])
    let named = UnimplementedClock(ImmediateClock())
    let more = Issues()
    withIssueReporters([more]) { _ = named.now }
    #expect(more.texts == ["Unimplemented: ImmediateClock<Duration>.now"])
  }

  @Test func aClockOfAnyTypeIsWrapped() async throws {
    let base = TestClock<Duration>(now: .init(offset: .seconds(100)))
    let clock = AnyClock(base)
    let start = clock.now
    let task = Task { try await clock.sleep(until: start.advanced(by: .seconds(2))) }
    await base.advance(by: .seconds(2))
    try await task.value
    #expect(start.duration(to: clock.now) == .seconds(2))
    #expect(start < clock.now)
    #expect(clock.minimumResolution == .zero)
  }

  @Test func aTimerTicksOnTheGrid() async {
    let clock = TestClock()
    let ticks = LockIsolated(0)
    let task = Task {
      let clock: any Clock<Duration> = clock
      for await _ in clock.timer(interval: .seconds(1)) { ticks.withValue { $0 += 1 } }
    }
    await clock.advance(by: .seconds(1))
    #expect(ticks.value == 1)
    await clock.advance(by: .seconds(4))
    #expect(ticks.value == 5)
    await clock.advance(by: .milliseconds(999))
    #expect(ticks.value == 5)
    task.cancel()
    await task.value
    await clock.advance(by: .seconds(4))
    #expect(ticks.value == 5)
  }

  @Test func anUnimplementedClockByName() {
    let clocks: [UnimplementedClock<Duration>] = [
      .unimplemented, .unimplemented(), .unimplemented(name: "Watch"), UnimplementedClock(),
      UnimplementedClock(name: "Sundial"),
    ]
    let seen = Issues()
    withIssueReporters([seen]) { for clock in clocks { _ = clock.now } }
    #expect(
      seen.texts == [
        "Unimplemented: Clock.now", "Unimplemented: Clock.now", "Unimplemented: Watch.now",
        "Unimplemented: Clock.now", "Unimplemented: Sundial.now",
      ])
  }

  @Test func missedTicksAreSkipped() async {
    let clock = TestClock()
    var iterator = clock.timer(interval: .seconds(1)).makeAsyncIterator()
    async let advanced: Void = clock.advance(by: .seconds(1))
    let first = await iterator.next()
    await advanced
    await clock.advance(by: .milliseconds(2_500))
    async let again: Void = clock.advance(by: .milliseconds(500))
    let second = await iterator.next()
    await again
    #expect(first.flatMap { first in second.map { first.duration(to: $0) } } == .seconds(3))
  }
}
