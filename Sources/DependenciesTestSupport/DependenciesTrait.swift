@_exported public import Dependencies
public import Testing

/// Overrides dependencies for a test or for each test of a suite; gives each test case dependencies
/// of its own.
public struct _DependenciesTrait: TestScoping, TestTrait, SuiteTrait {
  let updateValues: @Sendable (inout DependencyValues) async throws -> Void

  /// A suite's overrides are made for each of its tests.
  public var isRecursive: Bool { true }

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    // Once for each case of a test, not once for a suite around them.
    guard testCase != nil else { return try await function() }
    try await withDependencies {
      $0.forgetCachedValues()
      try await updateValues(&$0)
    } operation: {
      try await function()
    }
  }
}

extension Trait where Self == _DependenciesTrait {
  /// Gives each test case dependencies of its own: nothing that a test value keeps is shared.
  public static var dependencies: Self {
    Self(updateValues: { _ in })
  }

  /// Overrides a dependency.
  ///
  ///     @Test(.dependency(\.uuid, .incrementing))
  public static func dependency<Value: Sendable>(
    _ keyPath: any WritableKeyPath<DependencyValues, Value> & Sendable,
    _ value: @autoclosure @escaping @Sendable () throws -> Value
  ) -> Self {
    Self(updateValues: { $0.override(keyPath, with: try value()) })
  }

  /// Overrides the dependency whose key is the value's own type.
  public static func dependency<Value: TestDependencyKey>(
    _ value: @autoclosure @escaping @Sendable () throws -> Value
  ) -> Self where Value == Value.Value {
    Self(updateValues: { $0[Value.self] = try value() })
  }

  /// Overrides several dependencies.
  ///
  ///     @Suite(.dependencies {
  ///       $0.uuid = .incrementing
  ///       $0.date.now = Date(timeIntervalSince1970: 0)
  ///     })
  public static func dependencies(
    _ updateValues: @escaping @Sendable (inout DependencyValues) async throws -> Void
  ) -> Self {
    Self(updateValues: updateValues)
  }
}
