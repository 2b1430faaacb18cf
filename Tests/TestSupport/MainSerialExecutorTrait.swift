internal import ConcurrencyExtras
public import Testing

/// Runs each test with all tasks on the main actor's executor, so that a task which a test starts
/// sleeps by the time the test moves its clock, however busy the machine is.
public struct MainSerialExecutorTrait: TestScoping, TestTrait, SuiteTrait {
  public var isRecursive: Bool { true }

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withMainSerialExecutor { try await function() }
  }
}

extension Trait where Self == MainSerialExecutorTrait {
  /// Runs the tests with all tasks on the main actor's executor.
  public static var mainSerialExecutor: Self { Self() }
}
