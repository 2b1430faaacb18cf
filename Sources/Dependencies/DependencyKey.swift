import IssueReporting

/// A dependency: where its value comes from in the program, in previews and in tests.
///
///     struct FactClient: Sendable {
///       var fetch: @Sendable (Int) async throws -> String
///     }
///     extension FactClient: DependencyKey {
///       static let liveValue = FactClient { try await download($0) }
///     }
///     extension DependencyValues {
///       var factClient: FactClient {
///         get { self[FactClient.self] }
///         set { self[FactClient.self] = newValue }
///       }
///     }
public protocol DependencyKey<Value>: TestDependencyKey {
  /// The value in the running program.
  static var liveValue: Value { get }

  associatedtype Value = Self

  /// The value in previews; the live one by default.
  static var previewValue: Value { get }

  /// The value in tests; by default the preview's, with an issue, since a test that reaches the
  /// outside world does so by mistake.
  ///
  /// A replay of a recording takes it as well, and without the issue: it must not reach the outside
  /// world either.
  static var testValue: Value { get }
}

/// A dependency as far as tests and previews know it, for modules that do not build its live value.
public protocol TestDependencyKey<Value> {
  associatedtype Value: Sendable = Self

  /// The value in previews; the test's by default.
  static var previewValue: Value { get }

  /// The value in tests.
  static var testValue: Value { get }
}

extension DependencyKey {
  public static var previewValue: Value {
    DependencyReader.current.pointee.gaveLive = true
    return Self.liveValue
  }

  public static var testValue: Value {
    guard shouldReportUnimplemented else { return Self.previewValue }
    let reader: DependencyReader = DependencyReader.current.pointee
    reportIssue(
      """
      \(reader.name(for: Self.self)) has no test implementation, but was accessed from a test \
      context:

      \(reader.details(for: Self.self))

      A dependency must not use its live value in a test unless the test says so.

      To fix this, override it for the test, with 'withDependencies' or through the test store's \
      'withDependencies' closure. To give all tests a value, implement the 'testValue' requirement \
      of 'DependencyKey'.
      """,
      fileID: reader.place?.fileID ?? #fileID, filePath: reader.place?.filePath ?? #filePath,
      line: reader.place?.line ?? #line, column: reader.place?.column ?? #column)
    return Self.previewValue
  }
}

extension TestDependencyKey {
  public static var previewValue: Value { Self.testValue }

  /// Whether a `testValue` that is being read may report that it is not implemented.
  ///
  /// It may not while an override is being made, as in `$0.client.fetch = { … }`, which reads the
  /// value only to change it, nor in a replay, which only wants no live value.
  public static var shouldReportUnimplemented: Bool {
    let reader = DependencyReader.current
    return !reader.pointee.isSetting && !reader.pointee.isReplaying
  }
}
