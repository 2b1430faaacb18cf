import ConcurrencyExtras
import Dependencies
public import Foundation

extension SharedReaderKey {
  /// A value that is kept in user defaults behind a property that extends them.
  ///
  ///     extension UserDefaults {
  ///       var isNew: Bool {
  ///         get { bool(forKey: "isNew") }
  ///         set { set(newValue, forKey: "isNew") }
  ///       }
  ///     }
  ///     @Shared(.appStorage(\.isNew)) var isNew = true
  ///
  /// A change by others is told when the property's value is another than before; where values
  /// can't be compared, their descriptions are.
  public static func appStorage<Value: Sendable>(
    _ keyPath: any ReferenceWritableKeyPath<UserDefaults, Value> & Sendable
  ) -> Self where Self == AppStorageKeyPathKey<Value> {
    AppStorageKeyPathKey(keyPath)
  }
}

/// The key of a value that is kept in user defaults behind a property.
public struct AppStorageKeyPathKey<Value: Sendable>: SharedKey {
  private let keyPath: any ReferenceWritableKeyPath<UserDefaults, Value> & Sendable
  private let store: UncheckedSendable<UserDefaults>
  private let watch: DefaultsWatch<Value>

  /// The key of a property of the default user defaults.
  public init(_ keyPath: any ReferenceWritableKeyPath<UserDefaults, Value> & Sendable) {
    @Dependency(\.defaultAppStorage) var defaultStore
    let store = UncheckedSendable(defaultStore)
    self.keyPath = keyPath
    self.store = store
    // Before anything is set through it.
    ObservedDefaults.observe(store.value)
    self.watch = DefaultsWatch(
      key: nil, store: store.value, look: { store.value[keyPath: keyPath] }, isSame: isEqual)
  }

  public var id: AppStorageKeyPathKeyID {
    AppStorageKeyPathKeyID(keyPath: keyPath, store: store)
  }

  public func load(context: LoadContext<Value>, continuation: LoadContinuation<Value>) {
    continuation.resume(returning: watch.load())
  }

  public func subscribe(
    context: LoadContext<Value>, subscriber: SharedSubscriber<Value>
  ) -> SharedSubscription {
    watch.start { subscriber.yield($0) }
    return SharedSubscription { [watch] in watch.stop() }
  }

  public func save(_ value: Value, context: SaveContext, continuation: SaveContinuation) {
    let store: UserDefaults = self.store.value
    watch.save(value) { store[keyPath: keyPath] = value }
    if !(store is InMemoryDefaults) { DefaultsCenter.shared.write(store) }
    DefaultsCenter.shared.changed(nil)
    continuation.resume()
  }
}

extension AppStorageKeyPathKey: CustomStringConvertible {
  public var description: String { ".appStorage(\(String(describing: keyPath)))" }
}

/// What tells one property of user defaults from another.
public struct AppStorageKeyPathKeyID: Hashable, Sendable {
  let keyPath: any PartialKeyPath<UserDefaults> & Sendable
  let store: UncheckedSendable<UserDefaults>

  public static func == (lhs: Self, rhs: Self) -> Bool {
    (lhs.keyPath as AnyKeyPath) == (rhs.keyPath as AnyKeyPath) && lhs.store == rhs.store
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(keyPath as AnyKeyPath)
    hasher.combine(store)
  }
}

/// Whether two values are equal, as far as that can be told.
@Sendable private func isEqual<Value>(_ lhs: Value, _ rhs: Value) -> Bool {
  func equal<T: Equatable>(_ lhs: T) -> Bool { lhs == (rhs as? T) }
  if let lhs = lhs as? any Equatable { return equal(lhs) }
  return String(reflecting: lhs) == String(reflecting: rhs)
}
