package import ActionCoding
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

  /// The type of the reference's value.
  var valueType: Any.Type { get }

  /// Where the reference comes from; `nil` for one of another's making.
  var derivation: SharedDerivation? { get }

  /// A reference that the box can hold: the whole of what a root refers to, or the part to which
  /// steps lead; `nil` where there is none.
  func content(_ steps: [String], from root: any AnyRootReference) -> AnyObject?

  /// Exchanges the reference for another one of the same type; nobody is told.
  func put(_ content: AnyObject)
}

/// How a reference is derived from the one that holds its value.
package struct SharedDerivation {
  /// The one that holds its value.
  package let root: any AnyRootReference
  private let reference: any Reference

  init?(of reference: any Reference) {
    guard let root = reference.root else { return nil }
    self.root = root
    self.reference = reference
  }

  /// The steps from the root, as a log has them, where the root has the given value.
  ///
  /// Throws a `RecordDecodingError` where another process can't take them.
  package func steps(from value: Any) throws(RecordDecodingError) -> [String] {
    guard let steps = (reference as? any DerivedReference)?.steps(from: value) else {
      throw RecordDecodingError("It is a reference of another's making.", offset: 0)
    }
    for case .unknown in steps { throw RecordDecodingError(describe(steps), offset: 0) }
    return steps.map(\.text)
  }
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
