internal import Dependencies
internal import Synchronization

/// The references that keys hold, so that one place outside has one value inside.
///
/// They are kept for as long as somebody else does. Each context, each test and each scope that
/// overrides this dependency has a table of its own.
package final class PersistentReferences: Sendable {
  private struct Entry: @unchecked Sendable {
    weak var reference: (any AnyRootReference)?
    let serial: UInt64
  }

  private let entries = Mutex<[PersistentReferenceID: Entry]>([:])

  package init() {}

  /// The reference of a key, made where there is none.
  ///
  /// Nothing is locked while the default is worked out and the key loads, since either may end up
  /// here again. Of two threads that make the same reference, one gets the other's.
  ///
  /// - Parameter loads: Whether a new reference loads its value.
  func reference<Value, E: Error>(
    _ key: () -> KeyBox<Value>, id: PersistentReferenceID, default value: () throws(E) -> Value,
    loads: Bool, place: SourcePlace
  ) throws(E) -> RootReference<Value> {
    if let found: RootReference<Value> = find(id) { return found }
    let key: KeyBox<Value> = key()
    let candidate = RootReference<Value>(try value(), key: key, table: self, place: place)
    if loads { candidate.loadInitialValue() }
    let other: (any AnyRootReference)? = entries.withLock { entries in
      if let other = entries[id]?.reference { return other }
      entries[id] = Entry(reference: candidate, serial: candidate.serial)
      return nil
    }
    if let other = other as? RootReference<Value> { return other }
    candidate.subscribe(loads: loads)
    return candidate
  }

  private func find<Value>(_ id: PersistentReferenceID) -> RootReference<Value>? {
    let found: (any AnyRootReference)? = entries.withLock { $0[id]?.reference }
    return found as? RootReference<Value>
  }

  /// Forgets a reference that is gone.
  func remove(_ id: PersistentReferenceID, serial: UInt64) {
    entries.withLock { entries in
      if entries[id]?.serial == serial { entries[id] = nil }
    }
  }
}

extension PersistentReferences: DependencyKey {
  package static var liveValue: PersistentReferences { PersistentReferences() }
  package static var previewValue: PersistentReferences { PersistentReferences() }
  package static var testValue: PersistentReferences { PersistentReferences() }
}

extension DependencyValues {
  /// The references that keys hold.
  package var persistentReferences: PersistentReferences {
    get { self[PersistentReferences.self] }
    set { self[PersistentReferences.self] = newValue }
  }
}

/// What tells the references of keys apart: the type of the key and its `id`.
package struct PersistentReferenceID: Hashable, @unchecked Sendable {
  private let type: ObjectIdentifier
  // Keys are sendable, and their ids are derived from them.
  private let id: AnyHashable

  init<Key: SharedReaderKey>(_ key: Key) {
    self.type = ObjectIdentifier((key as? any DefaultingKey)?.baseType ?? Key.self)
    self.id = AnyHashable(key.id)
  }
}
