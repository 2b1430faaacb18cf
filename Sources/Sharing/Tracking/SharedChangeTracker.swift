public import IssueReporting
internal import Synchronization

/// Notes which shared values are changed, so that a test can say what the changes should have been
/// although the values before and after are held by the same references.
///
///     let tracker = SharedChangeTracker()
///     tracker.track { model.incrementButtonTapped() }
///     tracker.assert {
///       model.$count.withLock { $0 = 1 }  // What is expected; the value itself does not change.
///       #expect(model.$count == model.$count)  // Expected on the left, actual on the right.
///     }
///
/// Trackers nest: each notes what is changed while it tracks.
@_spi(SharedChangeTracking)
public final class SharedChangeTracker: Sendable {
  struct Changes: ~Copyable {
    var byReference: [ObjectIdentifier: AnyTrackedChange] = [:]
    /// In the order in which they were first noted.
    var all: [AnyTrackedChange] = []
  }

  let changes = Mutex(Changes())
  private let reportUnassertedChanges: Bool

  /// A tracker.
  ///
  /// - Parameter reportUnassertedChanges: Whether changes that were not asserted by the time the
  ///   tracker goes are issues.
  public init(reportUnassertedChanges: Bool = isTesting) {
    self.reportUnassertedChanges = reportUnassertedChanges
    SharedTrackers.didMake()
  }

  deinit {
    SharedTrackers.didEnd()
    guard reportUnassertedChanges else { return }
    for change in changes.withLock({ $0.all }) { change.report() }
  }

  /// Whether anything was changed that was not asserted since.
  public var hasChanges: Bool {
    changes.withLock { !$0.all.isEmpty }
  }

  /// Forgets all changes.
  public func reset() {
    let old: [AnyTrackedChange] = changes.withLock { changes in
      let old: [AnyTrackedChange] = changes.all
      changes = Changes()
      return old
    }
    withExtendedLifetime(old) {}
  }

  /// Notes the changes that an operation makes, with the tasks that it starts.
  public func track<R>(_ operation: () throws -> R) rethrows -> R {
    try SharedTrackers.$tracking.withValue(adding(), operation: operation)
  }

  /// Notes the changes that an operation makes, with the tasks that it starts.
  public func track<R>(
    isolation: isolated (any Actor)? = #isolation, _ operation: () async throws -> R
  ) async rethrows -> R {
    try await SharedTrackers.$tracking.withValue(
      adding(), operation: operation, isolation: isolation)
  }

  /// Runs an operation in which shared values are what they were before the changes, changing them
  /// says what is expected, and comparing one with itself compares what is expected with what is
  /// there. The changes are forgotten after it.
  public func assert<R>(_ operation: () throws -> R) rethrows -> R {
    defer { reset() }
    return try SharedTrackers.$side.withValue(.expected(self), operation: operation)
  }

  /// Keeps what the changed values are now, to be compared with what is expected even when they
  /// have changed again by then.
  package func captureOutcome() {
    for change in changes.withLock({ $0.all }) { change.captureOutcome() }
  }

  private func adding() -> [SharedChangeTracker] {
    let tracking: [SharedChangeTracker] = SharedTrackers.tracking
    return tracking.contains { $0 === self } ? tracking : tracking + [self]
  }

  // MARK: For references

  private func change<Value>(of reference: RootReference<Value>) -> TrackedChange<Value>? {
    let change: AnyTrackedChange? = changes.withLock {
      $0.byReference[ObjectIdentifier(reference)]
    }
    return change.map { unsafeDowncast($0, to: TrackedChange<Value>.self) }
  }

  /// Notes that a reference is about to change.
  @discardableResult
  func note<Value>(_ reference: RootReference<Value>) -> TrackedChange<Value> {
    if let change = change(of: reference) { return change }
    let new = TrackedChange(reference)
    let id = ObjectIdentifier(reference)
    let noted: AnyTrackedChange = changes.withLock { changes in
      if let change = changes.byReference[id] { return change }
      changes.byReference[id] = new
      changes.all.append(new)
      return new
    }
    return unsafeDowncast(noted, to: TrackedChange<Value>.self)
  }

  func expectation<Value>(of reference: RootReference<Value>) -> Value? {
    change(of: reference)?.expectation
  }

  func outcome<Value>(of reference: RootReference<Value>) -> Value? {
    change(of: reference)?.outcome
  }

  func changeExpectation<Value, R>(
    of reference: RootReference<Value>, _ body: (inout Value) throws -> R
  ) rethrows -> R {
    let change: TrackedChange<Value> = note(reference)
    var expectation: Value = change.expectation
    defer { change.expectation = expectation }
    return try body(&expectation)
  }

  func contains(_ reference: any AnyRootReference) -> Bool {
    changes.withLock { $0.byReference[ObjectIdentifier(reference)] != nil }
  }

  func forget(_ reference: any AnyRootReference) {
    let forgotten: AnyTrackedChange? = changes.withLock { changes in
      let change = changes.byReference.removeValue(forKey: ObjectIdentifier(reference))
      changes.all.removeAll { $0 === change }
      return change
    }
    withExtendedLifetime(forgotten) {}
  }
}
