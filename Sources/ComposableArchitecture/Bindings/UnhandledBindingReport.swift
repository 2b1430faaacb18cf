internal import IssueReporting

/// Reports a write to a store that no `BindingReducer` handled, once the action has gone.
// `@unchecked`: used on the main actor only, and released with the last copy of its action.
final class UnhandledBindingReport: @unchecked Sendable {
  var isHandled = false
  private let action: String

  /// - Parameter action: The action, as it is shown.
  init(action: String) {
    self.action = action
  }

  deinit {
    guard !self.isHandled else { return }
    reportIssue(
      """
      A binding action sent from a store was not handled. …

        Action:
          \(self.action)

      Put "BindingReducer()" into the "body" of the feature's reducer. Where it is there already, \
      the feature is not embedded in its parent's body: add the "Scope", "ifLet" or "forEach" that \
      runs it.
      """
    )
  }
}
