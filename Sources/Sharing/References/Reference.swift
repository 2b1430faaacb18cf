/// What a `SharedReader` refers to.
public protocol Reference<Value>: AnyObject, CustomStringConvertible, Sendable {
  /// What is shared.
  associatedtype Value

  /// The reference's identity.
  var id: ObjectIdentifier { get }

  /// Whether a key is loading the value.
  var isLoading: Bool { get }

  /// Why the value could not be loaded.
  var loadError: (any Error)? { get }

  /// The value.
  var wrappedValue: Value { get }

  /// Loads the value anew.
  func load() async throws

  /// Tells observers that the reference is to be looked at again.
  func touch()

  /// Hands the latest value to a receiver, and each one after it.
  ///
  /// The receiver is called where locks are held, so it keeps what it gets and does nothing else.
  ///
  /// - Returns: What ends it.
  func _subscribe(
    _ receive: @escaping @Sendable (_SharedElement<Value>) -> Void
  ) -> SharedSubscription
}

/// What a `Shared` refers to.
public protocol MutableReference<Value>: Reference, Equatable {
  /// Why the value could not be saved.
  var saveError: (any Error)? { get }

  /// Changes the value, while nobody else does.
  func withLock<R>(_ body: (inout Value) throws -> R) rethrows -> R

  /// Saves the value.
  func save() async throws
}

extension Reference {
  public var id: ObjectIdentifier { ObjectIdentifier(self) }
}

/// A value on its way to those who iterate over a publisher: it is worked out only when it gets
/// there, outside of every lock.
public struct _SharedElement<Value>: @unchecked Sendable {
  // The values that cross threads here belong to references, whose values do so anyway.
  private let make: () -> Value

  /// An element whose value is worked out when it is asked for.
  public init(_ make: @escaping () -> Value) {
    self.make = make
  }

  /// The value.
  public var value: Value { make() }

  func map<Member>(_ transform: @escaping (Value) -> Member) -> _SharedElement<Member> {
    _SharedElement<Member> { [make] in transform(make()) }
  }
}

/// A reference that knows which one holds its value.
protocol RootedReference: AnyObject {
  var root: (any AnyRootReference)? { get }
}

extension Reference {
  /// The reference that holds the value of which this one's is the whole or a part.
  var root: (any AnyRootReference)? {
    (self as? any RootedReference)?.root
  }
}
