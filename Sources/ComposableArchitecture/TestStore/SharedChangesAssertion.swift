/// When a test store asserts what actions change in shared state.
///
/// The actions of effects are reduced as they arrive, before the test receives them. Of the state
/// each leaves a copy behind; a shared value is one and the same for all, so that the question is
/// which assertion its changes belong to.
public enum SharedChangesAssertion: Sendable {
  /// The next one after the change, whichever action made it.
  ///
  /// What the action of an effect that ends at once changes in shared state is asserted where the
  /// test sends the action before it:
  ///
  /// ```swift
  /// await store.send(.tap) {
  ///   $0.$isOn.withLock { $0 = true }
  /// }
  /// await store.receive(\.response)
  /// ```
  case withNextAssertion

  /// That of the action whose reducer made it.
  ///
  /// ```swift
  /// await store.send(.tap)
  /// await store.receive(\.response) {
  ///   $0.$isOn.withLock { $0 = true }
  /// }
  /// ```
  case atTheirAction
}
