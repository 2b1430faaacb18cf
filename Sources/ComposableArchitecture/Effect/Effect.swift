package import CasePaths
internal import Dependencies

/// What a reducer asks to be run after it changed the state.
///
/// An effect talks to the outside world and feeds actions back into the store. It is a plain
/// description: nothing runs until a store takes it from a reducer.
public struct Effect<Action>: Sendable {
  @usableFromInline package let operation: EffectOperation<Action>

  @usableFromInline
  package init(operation: EffectOperation<Action>) {
    self.operation = operation
  }

  /// Whether there is nothing to run.
  @inlinable
  public var _isNone: Bool {
    if case .none = self.operation { true } else { false }
  }

  /// The action, where all that is to be run is to send one.
  @inlinable
  public var _sentAction: Action? {
    if case .send(let action) = self.operation { action } else { nil }
  }
}

/// The effect of a reducer's actions.
public typealias EffectOf<R: Reducer> = Effect<R.Action>

/// The tree that an ``Effect`` describes, run by the store.
///
/// `@unchecked Sendable`: actions are made and consumed on the main actor, whatever their type; the
/// closures are `@Sendable` themselves.
@usableFromInline
package indirect enum EffectOperation<Action>: @unchecked Sendable {
  case none
  case send(Action)
  case run(EffectRun<Action>)
  case merge([EffectOperation])
  case concatenate([EffectOperation])
  case cancellable(CancelID, cancelInFlight: Bool, EffectOperation)
  case cancel(CancelID)
}

/// An asynchronous piece of work, and where it was made.
@usableFromInline
package struct EffectRun<Action>: Sendable {
  package var name: String?
  package var priority: TaskPriority?
  package var fileID: StaticString
  package var line: UInt
  /// Is called where the effect starts, before its task is made: whoever must not miss what happens
  /// until the task gets its turn subscribes here.
  package var willStart: (@MainActor @Sendable () -> Void)?
  /// Does the work; returns the error that nobody handled, `nil` if there was none.
  package var body: @Sendable (_ send: Send<Action>) async -> (any Error)?

  package init(
    name: String?, priority: TaskPriority?, fileID: StaticString, line: UInt,
    body: @escaping @Sendable (_ send: Send<Action>) async -> (any Error)?
  ) {
    self.name = name
    self.priority = priority
    self.fileID = fileID
    self.line = line
    self.body = body
  }
}

extension Effect {
  /// An effect that does nothing.
  @inlinable
  public static var none: Self {
    Self(operation: .none)
  }

  /// An effect that sends `action` back into the store at once.
  ///
  /// The action runs after the ones that are waiting already, before the outer `send` returns.
  @inlinable
  public static func send(_ action: Action) -> Self {
    Self(operation: .send(action))
  }
}

extension Effect {
  /// Turns the effect's actions into those of a parent.
  @inlinable
  public func map<T>(_ transform: @escaping @Sendable (Action) -> T) -> Effect<T> {
    if case .none = self.operation { return .none }
    return Effect<T>(operation: self.operation.map(withDependencyContext(of: transform)))
  }

  @inlinable
  package func map<Root>(_ path: AnyCasePath<Root, Action>) -> Effect<Root> {
    if case .none = self.operation { return .none }
    return Effect<Root>(operation: self.operation.map { path.embed($0) })
  }

  /// A transform may read dependencies: it does so as they were when the effect was made.
  @usableFromInline
  func withDependencyContext<T>(
    of transform: @escaping @Sendable (Action) -> T
  ) -> @Sendable (Action) -> T {
    withEscapedDependencies { escaped in
      { action in escaped.yield { transform(action) } }
    }
  }
}

extension EffectRun {
  fileprivate func map<T>(_ transform: @escaping @Sendable (Action) -> T) -> EffectRun<T> {
    let body = self.body
    var copy = EffectRun<T>(
      name: self.name, priority: self.priority, fileID: self.fileID, line: self.line
    ) { send in
      await body(Send { send(transform($0)) })
    }
    copy.willStart = self.willStart
    return copy
  }
}

extension EffectOperation {
  @usableFromInline
  package func map<T>(_ transform: @escaping @Sendable (Action) -> T) -> EffectOperation<T> {
    switch self {
    case .none:
      .none
    case .send(let action):
      .send(transform(action))
    case .run(let run):
      .run(run.map(transform))
    case .merge(let operations):
      .merge(operations.map { $0.map(transform) })
    case .concatenate(let operations):
      .concatenate(operations.map { $0.map(transform) })
    case .cancellable(let id, let cancelInFlight, let operation):
      .cancellable(id, cancelInFlight: cancelInFlight, operation.map(transform))
    case .cancel(let id):
      .cancel(id)
    }
  }
}
