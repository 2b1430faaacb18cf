import ConcurrencyExtras
import Foundation
import IssueReporting
import Synchronization

/// A clock that moves only when told to.
///
///     let clock = TestClock()
///     let model = FeatureModel(clock: clock)
///     Task { await model.startTimer() }
///     await clock.advance(by: .seconds(3))
///     #expect(model.count == 3)
public final class TestClock<Duration: DurationProtocol & Hashable>: Clock {
  public struct Instant: InstantProtocol {
    private let offset: Duration

    public init(offset: Duration = .zero) {
      self.offset = offset
    }

    public func advanced(by duration: Duration) -> Self {
      Self(offset: offset + duration)
    }

    public func duration(to other: Self) -> Duration {
      other.offset - offset
    }

    public static func < (lhs: Self, rhs: Self) -> Bool {
      lhs.offset < rhs.offset
    }
  }

  /// A sleep that has not ended.
  private struct Suspension {
    let id: UInt64
    let deadline: Instant
    let continuation: AsyncThrowingStream<Never, any Error>.Continuation
  }

  private struct State {
    var now: Instant
    /// In the order of their deadlines, and among equal ones of their start.
    var suspensions: [Suspension] = []
    var nextID: UInt64 = 0
  }

  private let state: Mutex<State>

  public init(now: Instant = Instant()) {
    state = Mutex(State(now: now))
  }

  public var now: Instant { state.withLock { $0.now } }

  /// Zero: every instant can be told from every other.
  public var minimumResolution: Duration { .zero }

  /// Suspends until the clock is moved to the deadline; one that is `now` waits for a move as well.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    guard let (id, stream) = suspend(until: deadline) else { return }
    do {
      for try await element in stream { switch element {} }
      try Task.checkCancellation()
    } catch {
      state.withLock { $0.suspensions.removeAll { $0.id == id } }
      throw error
    }
  }

  /// Moves the clock, and ends the sleeps on the way, each at its own time.
  public func advance(by duration: Duration = .zero) async {
    await advance(to: now.advanced(by: duration))
  }

  /// Moves the clock to an instant, and ends the sleeps on the way, each at its own time.
  ///
  /// An instant in the past changes nothing.
  public func advance(to deadline: Instant) async {
    while now <= deadline {
      // What runs after a sleep may sleep again, before the deadline: let it.
      await Task.megaYield()
      guard endNextSleep(until: deadline) else { break }
    }
    await Task.megaYield()
  }

  /// Moves the clock until no sleep is left.
  ///
  /// Sleeps that are left when `timeout` has gone by in real time are cancelled, with an issue: a
  /// timer never ends by itself.
  public func run(
    timeout: Swift.Duration = .milliseconds(500),
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    let end = ContinuousClock.now.advanced(by: timeout)
    await Task.megaYield()
    while let deadline = state.withLock({ $0.suspensions.first?.deadline }) {
      guard ContinuousClock.now < end else {
        cancelSleeps()
        reportIssue(
          """
          Expected all sleeps to finish, but some are still suspending after \(timeout).

          There are sleeps suspending. This could mean that a timer is still running, or that a \
          sleep is started again and again. Cancel what sleeps at the end of the test, or give \
          'run' a 'timeout' greater than \(timeout).
          """, fileID: fileID, filePath: filePath, line: line, column: column)
        return
      }
      await advance(to: max(deadline, now))
    }
  }

  /// Makes sure that nothing sleeps.
  ///
  /// - Throws: ``SuspensionError`` when something does.
  public func checkSuspension() async throws {
    await Task.megaYield()
    guard state.withLock({ $0.suspensions.isEmpty }) else { throw SuspensionError() }
  }

  private func suspend(
    until deadline: Instant
  ) -> (id: UInt64, stream: AsyncThrowingStream<Never, any Error>)? {
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: Never.self)
    return state.withLock { state in
      guard deadline >= state.now else { return nil }
      let id = state.nextID
      state.nextID += 1
      let suspension = Suspension(id: id, deadline: deadline, continuation: continuation)
      let index = state.suspensions.firstIndex { $0.deadline > deadline }
      state.suspensions.insert(suspension, at: index ?? state.suspensions.endIndex)
      return (id, stream)
    }
  }

  /// Moves to the next sleep's end; `false` when the deadline comes first, which is moved to then.
  private func endNextSleep(until deadline: Instant) -> Bool {
    let next: Suspension? = state.withLock { state in
      guard let next = state.suspensions.first, next.deadline <= deadline else {
        state.now = max(state.now, deadline)
        return nil
      }
      state.now = max(state.now, next.deadline)
      return state.suspensions.removeFirst()
    }
    next?.continuation.finish()
    return next != nil
  }

  private func cancelSleeps() {
    let all: [Suspension] = state.withLock { state in
      defer { state.suspensions = [] }
      return state.suspensions
    }
    for suspension in all { suspension.continuation.finish(throwing: CancellationError()) }
  }
}

/// Something was asleep on a test clock that was expected to have nothing left to do.
public struct SuspensionError: Error, CustomStringConvertible {
  public init() {}

  public var description: String { "Something is asleep on the test clock." }
}

extension TestClock where Duration == Swift.Duration {
  public convenience init() {
    self.init(now: .init())
  }
}
