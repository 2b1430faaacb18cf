internal import Dependencies
internal import Synchronization

/// What a reducer does with a shared value.
package enum SharedUse: UInt8, Hashable, Sendable {
  /// It reads the value.
  case read = 0
  /// It begins to change the value, which it sees then.
  case change = 1
  /// It makes a reference, or finds the one of a key that is in use.
  case make = 2
}

/// How somebody comes by the reference of a key.
package enum SharedFinding {
  /// As everybody does.
  ///
  /// It is told by `willMake`, if it has to be made, and by `didFind`, with this number.
  case live(Int)
  /// It is given.
  case given(any AnyRootReference)
  /// By making one that is not connected with the key's place. It is told by `didFind`.
  case make(Int)
}

/// Who takes part in what reducers do with shared values: a recording or a replay.
///
/// Called on the thread that runs the reducer, one after the other.
package protocol SharedReads: AnyObject {
  /// A reducer is about to read or change a value.
  ///
  /// - Returns: The reference that it uses in its place, which is as a rule this one.
  func willUse(_ reference: any AnyRootReference, _ use: SharedUse) -> any AnyRootReference

  /// The reducer sees this value, of this version. No lock of the reference is held.
  func didSee<Value>(_ value: Value, version: UInt64, of reference: any AnyRootReference)

  /// The reducer has changed the value, which has this version now.
  func didChange(_ reference: any AnyRootReference, to version: UInt64)

  /// The reducer has made a reference without a key.
  ///
  /// - Returns: The reference that it gets in its place.
  func didMake(_ reference: any AnyRootReference) -> any AnyRootReference

  /// The reducer is about to get the reference of a key.
  func willFind<Value>(
    _ name: SharedKeyName, id: PersistentReferenceID, as type: Value.Type
  ) -> SharedFinding

  /// There is none in use, so that the default is worked out.
  func willMake(_ number: Int)

  /// The reducer has got the reference of a key.
  ///
  /// - Returns: The reference that it gets in its place.
  func didFind(_ reference: any AnyRootReference, number: Int) -> any AnyRootReference

  /// The reducer exchanges the reference of a box for another one.
  func willExchange(_ box: any ExchangeableBox)
}

/// What holds a reference for several copies of a `Shared`.
package protocol ExchangeableBox: AnyObject, Sendable {
  /// The reference.
  var content: AnyObject { get }

  /// Exchanges the reference for another one of the same type; nobody is told.
  func put(_ content: AnyObject)
}

/// Who takes part in the running reducer, as the `part` of a `ReducerReads`.
package final class SharedSession: Sendable {
  private nonisolated(unsafe) let reads: any SharedReads

  package init(_ reads: any SharedReads) {
    self.reads = reads
    Self.alive.wrappingAdd(1, ordering: .relaxed)
  }

  deinit {
    Self.alive.wrappingSubtract(1, ordering: .relaxed)
  }

  private static let alive = Atomic<Int>(0)

  /// Whether there is any session, so that it is worth while to look for the running reducer's.
  @inline(__always)
  static var isAnyAlive: Bool { alive.load(ordering: .relaxed) != 0 }

  /// Who takes part in the reducer that runs on this thread.
  package static var current: (any SharedReads)? {
    guard isAnyAlive, let part = ReducerReads.current?.part else { return nil }
    return unsafeDowncast(part, to: SharedSession.self).reads
  }
}
