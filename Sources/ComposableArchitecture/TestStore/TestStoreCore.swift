internal import Dependencies

/// Makes the root that a test store drives: that of a live store, with a ledger at its side.
@MainActor
func makeTestCore<R: Reducer>(
  initialState: R.State, reducer: R, ledger: TestLedger<R.State, R.Action>
) -> StoreCore<R.State, R.Action> where R.State: Equatable {
  if let hooked = reducer as? any _HookedReducer<R.State, R.Action> {
    return makeHookedTestCore(initialState, hooked, ledger)
  }
  return makeTestCore(initialState, reducer._reduce, recorder: nil, ledger)
}

/// Takes the recorder off the reducer, as a live store does.
@MainActor
private func makeHookedTestCore<R: _HookedReducer>(
  _ initialState: R.State, _ reducer: R, _ ledger: TestLedger<R.State, R.Action>
) -> StoreCore<R.State, R.Action> where R.State: Equatable {
  makeTestCore(initialState, reducer.base._reduce, recorder: reducer.makeHook(), ledger)
}

@MainActor
private func makeTestCore<State: Equatable, Action>(
  _ initialState: State, _ reduce: @escaping (inout State, Action) -> Effect<Action>,
  recorder: StoreHook<State, Action>?, _ ledger: TestLedger<State, Action>
) -> StoreCore<State, Action> {
  RootCore(
    initialState: initialState,
    reducer: { state, action in
      ledger.reduce { ledger.reducingDependencies().install { reduce(&state, action) } }
    },
    dependencies: RootDependencies(own: ledger.dependencies),
    hook: TestStoreHook(ledger: ledger, recorder: recorder))
}

extension TestLedger {
  /// The dependencies with which the reducer runs: the test's, at the store's place, with a way to
  /// dismiss the feature that stands at the root.
  fileprivate func reducingDependencies() -> DependencyValues {
    var values = self.dependencies
    var own: (@MainActor @Sendable () async -> Void)?
    var isPresentation = false
    if case .closure(let dismiss, let isOfPresentation) = values.dismiss.kind {
      own = dismiss
      isPresentation = isOfPresentation
    }
    let dismiss: @MainActor @Sendable () async -> Void = { [weak self, own] in
      await own?()
      guard let self else { return }
      self.isDismissed = true
      self.cancelEffects()
    }
    values.dismiss = DismissEffect(
      kind: .closure(dismiss, isPresentation: isPresentation))
    return values
  }
}
