internal import Perception

/// Runs a closure now and again after each change of what it read.
///
/// ```swift
/// let token = observe { [store] in
///   label.text = "\(store.count)"
/// }
/// ```
///
/// Changes that are made one right after the other are seen as one. The closure runs where it was
/// written: on the actor around it, or on the main actor where there is none.
///
/// - Parameters:
///   - isolation: The actor that this is called on.
///   - apply: Reads what is observed.
/// - Returns: Keeps the observation going; it ends when this is released.
public func observe(
  isolation: isolated (any Actor)? = #isolation,
  @_inheritActorContext
  _ apply: @escaping @isolated(any) @Sendable () -> Void
) -> ObserveToken {
  let actor = apply.isolation
  let plain = unsafeBitCast(apply, to: (@Sendable () -> Void).self)
  return startObserving(on: actor, from: isolation, Observed(body: { _ in plain() }))
}

/// Runs a closure now and again after each change of what it read, with the transaction in which
/// the change was made.
///
/// - Parameters:
///   - isolation: The actor that this is called on.
///   - apply: Reads what is observed.
/// - Returns: Keeps the observation going; it ends when this is released.
public func observe(
  isolation: isolated (any Actor)? = #isolation,
  @_inheritActorContext
  _ apply: @escaping @isolated(any) @Sendable (_ transaction: UITransaction) -> Void
) -> ObserveToken {
  let actor = apply.isolation
  let plain = unsafeBitCast(apply, to: (@Sendable (UITransaction) -> Void).self)
  return startObserving(on: actor, from: isolation, Observed(body: plain))
}

/// Runs a closure that reads now and again after each change of what it read, each time followed by
/// another one whose reads do not count.
///
/// - Parameters:
///   - isolation: The actor that this is called on.
///   - context: Reads what is observed.
///   - apply: Acts on it.
/// - Returns: Keeps the observation going; it ends when this is released.
public func observe(
  isolation: isolated (any Actor)? = #isolation,
  @_inheritActorContext
  _ context: @escaping @isolated(any) @Sendable (_ transaction: UITransaction) -> Void,
  @_inheritActorContext
  onChange apply: @escaping @isolated(any) @Sendable (_ transaction: UITransaction) -> Void
) -> ObserveToken {
  let actor = context.isolation
  let read = unsafeBitCast(context, to: (@Sendable (UITransaction) -> Void).self)
  let act = unsafeBitCast(apply, to: (@Sendable (UITransaction) -> Void).self)
  return startObserving(on: actor, from: isolation, Observed(body: read, afterwards: act))
}

/// What is run for each change: a closure whose reads count, and one whose reads do not.
private struct Observed: Sendable {
  // The closures belong to an actor; they are only ever called on it. Their type says nothing of
  // it, since a closure of an actor that is not known can't be called without suspending.
  var body: @Sendable (UITransaction) -> Void
  var afterwards: @Sendable (UITransaction) -> Void = { _ in }

  /// Runs the closures, and `onChange` before the next change.
  func run(_ onChange: @escaping @Sendable () -> Void) {
    withPerceptionTracking {
      self.body(UITransaction.current)
    } onChange: {
      onChange()
    }
    self.afterwards(UITransaction.current)
  }
}

private func startObserving(
  on actor: (any Actor)?, from isolation: (any Actor)?, _ observed: Observed
) -> ObserveToken {
  let token = ObserveToken()
  if actor == nil || actor === isolation {
    step(token, on: actor, observed)
  } else {
    perform(on: actor) { [weak token] in step(token, on: actor, observed) }
  }
  return token
}

/// Runs what is observed, on its actor, and sees to it that it runs again after a change.
private func step(_ token: ObserveToken?, on actor: (any Actor)?, _ observed: Observed) {
  guard let token, !token.isCancelled else { return }
  observed.run { [weak token] in
    perform(on: actor) { [weak token] in step(token, on: actor, observed) }
  }
}

/// Runs something on an actor, soon.
///
/// A task has the task-local values of where it is made, so that the transaction of the change is
/// in force in it.
private func perform(on actor: (any Actor)?, _ body: @escaping @Sendable () -> Void) {
  if let actor, !(actor is MainActor) {
    Task { await run(body, on: actor) }
  } else {
    Task { @MainActor in body() }
  }
}

private func run(_ body: @Sendable () -> Void, on actor: isolated any Actor) {
  body()
}
