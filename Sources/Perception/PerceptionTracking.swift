public import Observation
internal import Synchronization

/// Runs a closure, and calls another one before the first change of what it read.
///
/// - Parameters:
///   - apply: Reads the properties to be observed.
///   - onChange: Is called once, just before the first of them changes, where it is changed.
/// - Returns: What `apply` returns.
public func withPerceptionTracking<T>(
  _ apply: () -> T,
  onChange: @autoclosure () -> @Sendable () -> Void
) -> T {
  withObservationTracking(apply, onChange: onChange())
}

/// The values that an expression has over time, as an asynchronous sequence.
///
/// ```swift
/// for await count in Perceptions({ model.count }) { … }
/// ```
public typealias Perceptions = Observations

private let perceptionChecking = Atomic<Bool>(true)

/// Whether a view that reads without being told of changes is reported.
///
/// It is kept for sources that set it: there are no such views where Observation is everywhere.
public var isPerceptionCheckingEnabled: Bool {
  get { perceptionChecking.load(ordering: .relaxed) }
  set { perceptionChecking.store(newValue, ordering: .relaxed) }
}
