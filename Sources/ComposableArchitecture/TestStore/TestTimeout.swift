internal import Dispatch

/// How long a test store waits for effects, in nanoseconds.
struct TestTimeout {
  /// A second in nanoseconds.
  static let second: UInt64 = 1_000_000_000

  let nanoseconds: UInt64
  /// Whether the assertion that waits was given it, instead of taking the store's.
  let isExplicit: Bool

  /// - Parameters:
  ///   - nanoseconds: What the assertion was given, if anything.
  ///   - usual: The store's.
  init(_ nanoseconds: UInt64?, usual: UInt64) {
    self.nanoseconds = nanoseconds ?? usual
    self.isExplicit = nanoseconds.map { $0 != usual } ?? false
  }

  /// The end of a sentence that says how long was waited: nothing, or " after 1.0 seconds".
  var description: String {
    guard self.nanoseconds > 0 else { return "" }
    return " after \(Double(self.nanoseconds) / Double(Self.second)) seconds"
  }

  /// What to do where no clock can be moved.
  var advice: String {
    self.isExplicit
      ? #"try a longer "timeout" for this assertion"#
      : #"give this assertion a "timeout" of its own"#
  }

  /// Lets other tasks run until a condition holds.
  ///
  /// - Returns: Whether it held before the time was over; `true` as well where the task that waits
  ///   was cancelled, since then nothing is to be said about time.
  @MainActor
  func wait(until condition: @MainActor () -> Bool) async -> Bool {
    let start: UInt64 = DispatchTime.now().uptimeNanoseconds
    var turns = 0
    while !Task.isCancelled {
      // In the background, so that tasks of every priority have their turn.
      await Task<Void, Never>.detached(priority: .background) { await Task.yield() }.value
      if condition() { return true }
      if DispatchTime.now().uptimeNanoseconds - start >= self.nanoseconds { return false }
      turns += 1
      // What is not there by now waits for something outside: the processor is better left to it.
      if turns > Self.busyTurns { try? await Task.sleep(nanoseconds: Self.pause) }
    }
    return true
  }

  /// How often a waiting assertion looks again at once, which is enough for effects that only wait
  /// for one another.
  private static let busyTurns = 200
  /// How long it pauses between later looks: 0.5 ms.
  private static let pause: UInt64 = 500_000
}

extension Duration {
  /// The duration in whole nanoseconds; none where it is negative.
  var testNanoseconds: UInt64 {
    let (seconds, attoseconds) = self.components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    let (whole, overflow) = UInt64(seconds).multipliedReportingOverflow(by: TestTimeout.second)
    let (sum, overflowOfSum) = whole.addingReportingOverflow(UInt64(attoseconds) / 1_000_000_000)
    return overflow || overflowOfSum ? .max : sum
  }
}
