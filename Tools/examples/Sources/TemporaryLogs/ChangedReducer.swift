import ComposableArchitecture

extension Reducer {
  /// A later version of a feature, which does something else.
  ///
  /// ```swift
  /// CounterFeature().changed { state, action, original in
  ///   defer { if case .incrementTapped = action { state.count += 1 } }
  ///   return original(&state, action)
  /// }
  /// ```
  public func changed(
    _ change:
      @escaping (
        _ state: inout State, _ action: Action,
        _ original: (inout State, Action) -> Effect<Action>
      ) -> Effect<Action>
  ) -> ChangedReducer<Self> {
    ChangedReducer(base: self, change: change)
  }
}

/// A feature, and what is done in its place.
public struct ChangedReducer<Base: Reducer>: Reducer {
  let base: Base
  let change:
    (
      inout Base.State, Base.Action, (inout Base.State, Base.Action) -> Effect<Base.Action>
    ) -> Effect<Base.Action>

  public func reduce(into state: inout Base.State, action: Base.Action) -> Effect<Base.Action> {
    self.change(&state, action) { self.base.reduce(into: &$0, action: $1) }
  }
}
