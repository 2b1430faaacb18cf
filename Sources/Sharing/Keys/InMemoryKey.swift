public import Dependencies
internal import Synchronization

extension SharedReaderKey {
  /// Keeps a value in memory: all of the program shares it, and the next run begins with its
  /// default.
  ///
  ///     @Shared(.inMemory("count")) var count = 0
  ///
  /// The value is kept even while nothing refers to it. Tests have a memory of their own each.
  ///
  /// - Parameter key: The name of the value.
  public static func inMemory<Value>(_ key: String) -> Self where Self == InMemoryKey<Value> {
    InMemoryKey(key)
  }
}

/// The key of a value in memory; see ``SharedReaderKey/inMemory(_:)``.
public struct InMemoryKey<Value: Sendable>: SharedKey {
  private let key: String
  private let store: InMemoryStorage

  fileprivate init(_ key: String) {
    @Dependency(\.defaultInMemoryStorage) var defaultInMemoryStorage
    self.key = key
    self.store = defaultInMemoryStorage
  }

  public var id: InMemoryKeyID { InMemoryKeyID(key: key, store: store) }

  /// Where the value is kept.
  var slot: InMemorySlot<Value> { store.slot(key) }

  public func load(context: LoadContext<Value>, continuation: LoadContinuation<Value>) {
    continuation.resume(with: .success(slot.value))
  }

  public func subscribe(
    context: LoadContext<Value>, subscriber: SharedSubscriber<Value>
  ) -> SharedSubscription {
    SharedSubscription {}
  }

  public func save(_ value: Value, context: SaveContext, continuation: SaveContinuation) {
    slot.put(value)
    continuation.resume()
  }
}

extension InMemoryKey: CustomStringConvertible {
  public var description: String { ".inMemory(\(String(reflecting: key)))" }
}

/// What tells one value in memory from another: its name, and the memory that holds it.
public struct InMemoryKeyID: Hashable, Sendable {
  fileprivate let key: String
  fileprivate let store: InMemoryStorage
}

extension InMemoryKeyID: CustomStringConvertible {
  public var description: String { key }
}

/// A memory for shared values; one is equal only to itself.
public struct InMemoryStorage: Hashable, Sendable {
  private struct SlotID: Hashable {
    var key: String
    var type: ObjectIdentifier
  }

  private final class Slots: Sendable {
    let slots = Mutex<[SlotID: any AnyObject & Sendable]>([:])
  }

  private let slots = Slots()

  /// An empty memory.
  public init() {}

  fileprivate func slot<Value>(_ key: String) -> InMemorySlot<Value> {
    let id = SlotID(key: key, type: ObjectIdentifier(Value.self))
    let slot: any AnyObject & Sendable = slots.slots.withLock { slots in
      if let slot = slots[id] { return slot }
      let slot = InMemorySlot<Value>()
      slots[id] = slot
      return slot
    }
    return unsafeDowncast(slot, to: InMemorySlot<Value>.self)
  }

  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.slots === rhs.slots
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(slots))
  }
}

private enum DefaultInMemoryStorageKey: DependencyKey {
  static var liveValue: InMemoryStorage { InMemoryStorage() }
  static var previewValue: InMemoryStorage { InMemoryStorage() }
  static var testValue: InMemoryStorage { InMemoryStorage() }
}

extension DependencyValues {
  /// The memory of values under ``SharedReaderKey/inMemory(_:)``.
  public var defaultInMemoryStorage: InMemoryStorage {
    get { self[DefaultInMemoryStorageKey.self] }
    set { self[DefaultInMemoryStorageKey.self] = newValue }
  }
}
