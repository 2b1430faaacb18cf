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
  private nonisolated(unsafe) let source: (any SharedReads)?

  package init() {
    self.source = nil
  }

  /// References that come from somebody else, who decides what they hold.
  package init(source: any SharedReads) {
    self.source = source
  }

  /// The reference of a key, made where there is none.
  ///
  /// Nothing is locked while the default is worked out and the key loads, since either may end up
  /// here again. Of two threads that make the same reference, one gets the other's.
  ///
  /// - Parameter loads: Whether a new reference loads its value.
  func reference<Value, E: Error>(
    _ key: () -> KeyBox<Value>, id: PersistentReferenceID, name: () -> SharedKeyName,
    default value: () throws(E) -> Value, loads: Bool, place: SourcePlace
  ) throws(E) -> RootReference<Value> {
    guard let reads = SharedSession.current ?? source else {
      if let found: RootReference<Value> = find(id) { return found }
      return make(key(), id, try value(), loads: loads, place: place)
    }
    let made: RootReference<Value>
    let number: Int
    switch reads.willFind(name(), id: id, as: Value.self) {
    case .live(let live):
      number = live
      if let found: RootReference<Value> = find(id) {
        made = found
      } else {
        reads.willMake(number)
        let value: Value = try value()
        // What the key does is no doing of the reducer.
        made = ReducerReads.without { make(key(), id, value, loads: loads, place: place) }
      }
    case .given(let reference):
      if let reference = reference as? RootReference<Value> { return reference }
      return RootReference(try value(), key: DetachedKeyBox(name()), place: place)
    case .make(let new):
      number = new
      made = RootReference(try value(), key: DetachedKeyBox(name()), place: place)
    }
    return reads.didFind(made, number: number) as? RootReference<Value> ?? made
  }

  private func make<Value>(
    _ key: KeyBox<Value>, _ id: PersistentReferenceID, _ value: Value, loads: Bool,
    place: SourcePlace
  ) -> RootReference<Value> {
    let candidate = RootReference<Value>(value, key: key, table: self, place: place)
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

  /// That of a reference which stands for a key of this name.
  init(_ name: SharedKeyName) {
    self.type = ObjectIdentifier(SharedKeyName.self)
    self.id = AnyHashable(name)
  }
}
