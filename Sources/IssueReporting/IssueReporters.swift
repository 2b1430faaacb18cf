import Synchronization

/// The reporters that issues go to.
public enum IssueReporters {
  @TaskLocal static var scoped: [any IssueReporter]?
  private static let installed = Mutex<[any IssueReporter]?>(nil)

  /// The reporters in force: those of `withIssueReporters`, else those set here, else the default.
  ///
  /// Set it once, as the program starts. Reporters set here or by `withIssueReporters` also take
  /// the issues of tests, which then do not fail.
  public static var current: [any IssueReporter] {
    get { explicit ?? defaults }
    set { installed.withLock { $0 = newValue } }
  }

  static let defaults: [any IssueReporter] = [RuntimeWarningReporter()]

  static var explicit: [any IssueReporter]? {
    scoped ?? installed.withLock { $0 }
  }
}

/// Sends the issues of an operation to the given reporters only.
public func withIssueReporters<R>(
  _ reporters: [any IssueReporter],
  operation: () throws -> R
) rethrows -> R {
  try IssueReporters.$scoped.withValue(reporters, operation: operation)
}

/// Sends the issues of an asynchronous operation to the given reporters only.
public func withIssueReporters<R>(
  _ reporters: [any IssueReporter],
  isolation: isolated (any Actor)? = #isolation,
  operation: () async throws -> R
) async rethrows -> R {
  try await IssueReporters.$scoped.withValue(
    reporters, operation: operation, isolation: isolation)
}
