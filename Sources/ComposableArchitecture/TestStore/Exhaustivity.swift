/// How much of what a feature does a test has to assert.
public enum Exhaustivity: Equatable, Sendable {
  /// Everything: each change of the state, each action that an effect sends, and the end of every
  /// effect. What is left out fails the test.
  case on

  /// Only what the test asserts has to hold; the rest is skipped.
  ///
  /// - Parameter showSkippedAssertions: Whether what is skipped is shown, as expected issues that
  ///   do not fail the test.
  case off(showSkippedAssertions: Bool)

  /// Only what the test asserts has to hold; what is skipped is not shown.
  public static let off: Self = .off(showSkippedAssertions: false)
}
