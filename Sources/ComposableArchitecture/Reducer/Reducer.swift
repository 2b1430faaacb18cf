/// A rule that turns the current state into the next one when an action comes in, and says which
/// effect is to run afterwards.
///
/// A feature is usually a type with the `@Reducer` macro that describes itself in ``body``:
///
/// ```swift
/// @Reducer
/// struct Counter {
///   struct State { var count = 0 }
///   enum Action { case increment }
///
///   var body: some ReducerOf<Self> {
///     Reduce { state, action in
///       switch action {
///       case .increment:
///         state.count += 1
///         return .none
///       }
///     }
///   }
/// }
/// ```
///
/// A type may instead implement ``_reduce(into:action:)`` (or its older spelling
/// ``reduce(into:action:)``) and have no body.
public protocol Reducer<State, Action> {
  /// The data that the feature works on.
  associatedtype State

  /// Everything that can happen in the feature.
  associatedtype Action

  /// The type of ``body``; `Never` for a reducer without one.
  associatedtype Body

  /// Changes `state` as `action` asks, and returns what is to run afterwards.
  func _reduce(into state: inout State, action: Action) -> Effect<Action>

  /// The older spelling of ``_reduce(into:action:)``.
  func reduce(into state: inout State, action: Action) -> Effect<Action>

  /// The reducers that this one consists of.
  @ReducerBuilder<State, Action>
  var body: Body { get }
}

/// A reducer of the same state and action as the given one.
public typealias ReducerOf<R: Reducer> = Reducer<R.State, R.Action>

extension Reducer where Body == Never {
  /// A reducer without a body has nothing to return here.
  ///
  /// It is a programmer error to call it: the type implements ``_reduce(into:action:)`` instead.
  public var body: Body {
    fatalError(
      """
      '\(Self.self)' has no body: it implements '_reduce(into:action:)' itself, or was meant to \
      have a 'body'.
      """
    )
  }
}

extension Reducer {
  @inlinable
  public func _reduce(into state: inout State, action: Action) -> Effect<Action> {
    self.reduce(into: &state, action: action)
  }

  @inlinable
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    self._reduce(into: &state, action: action)
  }
}

extension Reducer where Body: Reducer, Body.State == State, Body.Action == Action {
  @inlinable
  public func _reduce(into state: inout Body.State, action: Body.Action) -> Effect<Body.Action> {
    self.body._reduce(into: &state, action: action)
  }
}
