internal import Synchronization

/// A reference that holds its value itself, whatever the value's type: what a recorder sees of it.
package protocol AnyRootReference: AnyObject, Sendable {
  /// What tells this reference from all others.
  var identity: ReferenceIdentity { get }

  /// The number of this reference in the order of their making in this process.
  var serial: UInt64 { get }

  /// The name of its key, the same in every process; `nil` without a key.
  var keyName: SharedKeyName? { get }

  /// The type of the value.
  var valueType: Any.Type { get }

  /// How the value becomes bytes; worked out anew each time.
  var coding: SharedValueCoding { get }

  /// A reference of its own with the value that this one has now, connected with no key's place.
  func detachedCopy() -> any AnyRootReference

  /// How often the value was changed.
  var version: UInt64 { get }

  /// The value and its version, taken at one time; reading them is not observed.
  var versionedValue: (value: Any, version: UInt64) { get }

  /// Sets the value from outside: nothing is saved and no tracker notes it, observers hear of it.
  ///
  /// - Returns: `false`, and nothing is set, when the value is of another type.
  func replaceValue(_ value: Any) -> Bool
}

/// What tells one root reference from another.
package enum ReferenceIdentity: Hashable, Sendable {
  /// One that a key holds, by the key's type and `id`.
  case key(PersistentReferenceID)
  /// Any other, by its number in the order of their making.
  case serial(UInt64)
}

/// Who has changed a reference.
package enum SharedChanger: Hashable, Sendable {
  /// The program, in this process.
  case program
  /// The place that its key stands for: it was loaded, or has told of a change there.
  case place
}

/// Who is told of changes of root references.
package protocol SharedHook: Sendable {
  /// The reference has changed. No lock of it is held.
  func didChange(_ reference: any AnyRootReference, by changer: SharedChanger)

  /// The box of a `Shared` and all its copies is about to be given another reference, or one to
  /// another part. No box is given one meanwhile; little is to be done here.
  ///
  /// - Returns: What is to stay until another box may be given one.
  func willExchange(in box: any ExchangeableBox) -> [any AnyObject & Sendable]

  /// A `Shared` that had a value of one reference has one of another, together with all its copies.
  func didExchange(_ reference: any AnyRootReference, for other: any AnyRootReference)
}

extension SharedHook {
  package func willExchange(in box: any ExchangeableBox) -> [any AnyObject & Sendable] { [] }
}

/// The hooks of the process.
package enum SharedHooks {
  private static let hooks = Mutex<[(id: UInt64, hook: any SharedHook)]>([])
  private static let count = Atomic<Int>(0)
  private static let nextID = Atomic<UInt64>(0)

  /// Whether there is any hook.
  @inline(__always)
  static var isActive: Bool { count.load(ordering: .relaxed) != 0 }

  /// Adds a hook, until the subscription ends.
  package static func add(_ hook: any SharedHook) -> SharedSubscription {
    let id: UInt64 = nextID.wrappingAdd(1, ordering: .relaxed).newValue
    hooks.withLock { $0.append((id, hook)) }
    count.wrappingAdd(1, ordering: .relaxed)
    return SharedSubscription {
      hooks.withLock { $0.removeAll { $0.id == id } }
      count.wrappingSubtract(1, ordering: .relaxed)
    }
  }

  static func didChange(_ reference: any AnyRootReference, by changer: SharedChanger) {
    for (_, hook) in hooks.withLock({ $0 }) { hook.didChange(reference, by: changer) }
  }

  /// Held while a box is given another reference and the hooks are told of it.
  private static let exchanges = Mutex(())

  /// Gives a box another reference.
  static func exchanging<R>(_ box: any ExchangeableBox, _ exchange: () -> R) -> R {
    guard isActive else { return exchange() }
    let (result, _): (R, [any AnyObject & Sendable]) = withoutExchanges {
      let kept = hooks.withLock({ $0 }).flatMap { $0.hook.willExchange(in: box) }
      return (exchange(), kept)
    }
    return result
  }

  /// Runs something during which no box is given another reference.
  package static func withoutExchanges<R>(_ body: () -> R) -> R {
    exchanges._unsafeLock()
    defer { exchanges._unsafeUnlock() }
    return body()
  }

  static func didExchange(
    _ reference: any AnyRootReference, for other: any AnyRootReference
  ) {
    for (_, hook) in hooks.withLock({ $0 }) { hook.didExchange(reference, for: other) }
  }
}

/// Makes a reference that is connected with no key's place.
///
/// - Parameter name: The key that it stands for, if it stands for one.
package func makeDetachedReference<Value>(
  _ value: Value, for name: SharedKeyName?
) -> any AnyRootReference {
  RootReference(
    value, key: name.map { DetachedKeyBox($0) },
    place: SourcePlace(#fileID, #filePath, #line, #column))
}
