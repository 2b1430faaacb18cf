/// Whether this process runs tests.
public let isTesting: Bool = TestProcess.framework != nil

/// The test that the current task belongs to.
public enum TestContext: Equatable, Sendable {
  /// Swift Testing, with the running test.
  case swiftTesting(Testing?)

  /// XCTest.
  case xcTest

  /// The running test's framework, `nil` outside tests.
  public static var current: TestContext? {
    switch TestProcess.framework {
    case nil: return nil
    case .xcTest: return .xcTest
    case .swiftTesting:
      return .swiftTesting(TestFramework.currentTestID.map { Testing(test: Testing.Test(id: $0)) })
    }
  }

  /// Whether the current task belongs to a test of Swift Testing.
  public var isSwiftTesting: Bool {
    if case .swiftTesting = self { return true }
    return false
  }

  /// What Swift Testing says about the running test.
  public struct Testing: Equatable, Sendable {
    public let test: Test

    public struct Test: Equatable, Hashable, Identifiable, Sendable {
      public let id: ID
      public struct ID: Hashable, @unchecked Sendable {
        // The framework's own ids are `Sendable`; the box cannot say so.
        let rawValue: AnyHashable
      }
      init(id: AnyHashable) { self.id = ID(rawValue: id) }
    }
  }
}
