internal import IssueReporting
internal import Synchronization

/// A callback that must be called exactly once.
final class OneShot<Result>: Sendable {
  private let isResumed = Atomic<Bool>(false)
  private let description: @Sendable () -> String
  private let whenLeaked: @Sendable () -> Result
  private let callback: @Sendable (Result) -> Void

  init(
    _ description: @escaping @Sendable () -> String, whenLeaked: @escaping @Sendable () -> Result,
    _ callback: @escaping @Sendable (Result) -> Void
  ) {
    self.description = description
    self.whenLeaked = whenLeaked
    self.callback = callback
  }

  deinit {
    guard !isResumed.load(ordering: .acquiring) else { return }
    reportIssue(
      """
      \(description()) leaked its continuation without one of its resume methods being invoked. \
      This will cause tasks waiting on it to resume immediately.
      """)
    callback(whenLeaked())
  }

  func callAsFunction(_ result: Result) {
    guard
      isResumed.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing)
        .exchanged
    else {
      reportIssue(
        """
        \(description()) tried to resume its continuation more than once. All but the first \
        result are ignored.
        """)
      return
    }
    callback(result)
  }
}
