internal import Synchronization

/// The changes of shared state that one assertion is about, out of several trackers.
///
/// Some have to be asserted here. Others may be, and otherwise are left to a later assertion: a
/// shared value has no copy for each of its changes, so that who asserts cannot always tell which
/// of them have been made by now.
package final class SharedStep {
  private let merged = SharedChangeTracker(reportUnassertedChanges: false)
  private let required: [SharedChangeTracker]
  private let optional: [SharedChangeTracker]
  private var optionalIDs: Set<ObjectIdentifier> = []
  /// Later changes of references that have to be asserted here.
  private var later: [ObjectIdentifier: AnyTrackedChange] = [:]

  /// Whether anything has to be asserted here.
  package let hasChanges: Bool

  /// - Parameters:
  ///   - required: Changes that have to be asserted here, in the order in which they were made.
  ///   - optional: Changes that may be asserted here, in that order.
  package init(required: [SharedChangeTracker], optional: [SharedChangeTracker]) {
    self.required = required
    self.optional = optional
    hasChanges = required.contains { $0.hasChanges }
    for (id, change) in required.flatMap(\.copies) {
      if let known = merged.change(id) {
        known.takeOutcome(of: change)
      } else {
        merged.add(change, id)
      }
    }
    let requiredIDs = Set(merged.copies.map(\.id))
    for (id, change) in optional.flatMap(\.copies) {
      if requiredIDs.contains(id) {
        later[id] = change
      } else if let known = merged.change(id) {
        known.takeOutcome(of: change)
      } else {
        merged.add(change, id)
        optionalIDs.insert(id)
      }
    }
  }

  /// Runs an operation in which shared values are what they were before, changing them says what is
  /// expected, and comparing one with itself compares what is expected with what is there.
  package func assert<R>(_ operation: () throws -> R) rethrows -> R {
    try SharedTrackers.$side.withValue(.expected(merged), operation: operation)
  }

  /// Leaves to later what may be asserted here and was not.
  ///
  /// - Returns: Whether anything was asserted that may be.
  package func leaveUnexpected() -> Bool {
    for id in optionalIDs where merged.change(id)?.isExpected != true {
      merged.remove(id)
      optionalIDs.remove(id)
    }
    return !optionalIDs.isEmpty
  }

  /// Tells whether a comparison holds once the later changes of the asserted references count, and
  /// then takes these as asserted, too.
  package func holdsWithLaterChanges(_ comparison: () -> Bool) -> Bool {
    let changes = later.compactMap {
      id, later -> (change: AnyTrackedChange, later: AnyTrackedChange)? in
      guard let change = merged.change(id), change.isExpected else { return nil }
      return (change, later)
    }
    guard !changes.isEmpty else { return false }
    let before = changes.map { $0.change.copy() }
    for (change, later) in changes { change.takeOutcome(of: later) }
    guard !comparison() else { return true }
    for (change, before) in zip(changes.map(\.change), before) { change.takeOutcome(of: before) }
    return false
  }

  /// Forgets what was asserted.
  package func finish() {
    for tracker in required { tracker.reset() }
    for (id, change) in merged.all where change.isExpected {
      // Whoever says what is there now has said it of all changes up to now.
      guard optionalIDs.contains(id) || change.isLatest else { continue }
      for tracker in optional { tracker.remove(id) }
    }
  }
}

@_spi(SharedChangeTracking)
extension SharedChangeTracker {
  /// Notes the changes that an operation makes, which another tracker does not note then.
  package func track<R>(
    insteadOf other: SharedChangeTracker, _ operation: () throws -> R
  ) rethrows -> R {
    let others = SharedTrackers.tracking.filter { $0 !== other && $0 !== self }
    return try SharedTrackers.$tracking.withValue(others + [self], operation: operation)
  }

  /// Reports the changes that were not asserted, and forgets them.
  package func reportUnassertedChangesNow() {
    let all: [AnyTrackedChange] = changes.withLock { $0.all }
    reset()
    for change in all { change.report() }
  }
}

extension SharedChangeTracker {
  fileprivate var all: [(id: ObjectIdentifier, change: AnyTrackedChange)] {
    changes.withLock { changes in changes.byReference.map { ($0.key, $0.value) } }
  }

  fileprivate var copies: [(id: ObjectIdentifier, change: AnyTrackedChange)] {
    all.map { ($0.id, $0.change.copy()) }
  }

  fileprivate func change(_ id: ObjectIdentifier) -> AnyTrackedChange? {
    changes.withLock { $0.byReference[id] }
  }

  fileprivate func add(_ change: AnyTrackedChange, _ id: ObjectIdentifier) {
    changes.withLock { changes in
      changes.byReference[id] = change
      changes.all.append(change)
    }
  }

  fileprivate func remove(_ id: ObjectIdentifier) {
    // Released outside of the lock: a value's deinitializer is the user's code.
    let removed: AnyTrackedChange? = changes.withLock { changes in
      let removed = changes.byReference.removeValue(forKey: id)
      changes.all.removeAll { $0 === removed }
      return removed
    }
    withExtendedLifetime(removed) {}
  }
}
