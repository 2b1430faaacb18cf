/// The effect that the running task belongs to, for whoever records who has changed a value.
package struct SharedEffectOrigin: Sendable {
  /// Who takes part in the reducers of the store that started the effect.
  package let session: ObjectIdentifier
  /// The number of the action whose reducer returned the effect.
  package let action: Int

  /// - Parameter session: The `part` of the store's `ReducerReads`; without one there is no origin.
  package init?(_ session: AnyObject?, action: Int) {
    guard let session else { return nil }
    self.session = ObjectIdentifier(session)
    self.action = action
  }

  /// That of the running task; `nil` outside of effects of recorded stores.
  @TaskLocal package static var current: SharedEffectOrigin?
}
