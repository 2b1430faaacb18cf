import ConcurrencyExtras
import Testing

/// Runs each test with all tasks on the main actor's executor, so that a task which a test starts
/// sleeps by the time the test moves its clock, however busy the machine is.
struct MainSerialExecutorTrait: TestScoping, TestTrait, SuiteTrait {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withMainSerialExecutor { try await function() }
  }
}

extension Trait where Self == MainSerialExecutorTrait {
  static var mainSerialExecutor: Self { Self() }
}
