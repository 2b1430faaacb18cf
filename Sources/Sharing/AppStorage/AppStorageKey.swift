import ConcurrencyExtras
import Dependencies
import Foundation
import IssueReporting

/// The key of a value that is kept in user defaults.
///
/// It is made by the functions named `appStorage`.
public struct AppStorageKey<Value: Sendable>: SharedKey {
  private let key: String
  private let store: UncheckedSendable<UserDefaults>
  private let coding: DefaultsCoding<Value>
  private let watch: DefaultsWatch<DefaultsValue?>

  init(_ key: String, _ store: UserDefaults?, _ coding: DefaultsCoding<Value>) {
    @Dependency(\.defaultAppStorage) var defaultStore
    let store = UncheckedSendable(store ?? defaultStore)
    self.key = key
    self.store = store
    self.coding = coding
    // Before anything is set through it.
    ObservedDefaults.observe(store.value)
    self.watch = DefaultsWatch(
      key: key, store: store.value, look: { DefaultsValue(key, in: store.value) },
      isSame: { seen, now in
        guard let seen, let now else { return seen == nil && now == nil }
        return seen.isSame(as: now)
      })
  }

  public var id: AppStorageKeyID { AppStorageKeyID(key: key, store: store) }

  /// Loads the value.
  ///
  /// Where there is none, the default of the reference that is made is set, so that whoever reads
  /// the user defaults themselves sees the same.
  public func load(context: LoadContext<Value>, continuation: LoadContinuation<Value>) {
    continuation.resume(
      with: Result {
        let stored: DefaultsValue? = watch.load()
        if let stored { return try coding.decode(stored) }
        if let value = context.initialValue { try set(value) }
        return nil
      })
  }

  public func subscribe(
    context: LoadContext<Value>, subscriber: SharedSubscriber<Value>
  ) -> SharedSubscription {
    noteFormat()
    watch.start { [coding] stored in
      subscriber.yield(with: Result { try stored.flatMap { try coding.decode($0) } })
    }
    return SharedSubscription { [watch] in watch.stop() }
  }

  public func save(_ value: Value, context: SaveContext, continuation: SaveContinuation) {
    continuation.resume(with: Result { try set(value) })
  }

  private func set(_ value: Value) throws {
    let stored: DefaultsValue? = try coding.encode(value)
    let store: UserDefaults = self.store.value
    watch.save(stored) {
      if let stored {
        stored.set(key, in: store)
      } else {
        store.removeObject(forKey: key)
        // As in `ObservedDefaults`, for objects of other classes.
        if store.object(forKey: key) != nil { store.exchange() }
      }
    }
    if !(store is InMemoryDefaults) { DefaultsCenter.shared.write(store) }
    DefaultsCenter.shared.changed(key)
  }
}

extension AppStorageKey: CustomStringConvertible {
  public var description: String { ".appStorage(\(String(reflecting: key)))" }
}

/// What tells one entry of user defaults from another: its key and the object that it is read from.
public struct AppStorageKeyID: Hashable, Sendable {
  let key: String
  let store: UncheckedSendable<UserDefaults>
}

extension AppStorageKey {
  /// Notes once that a key can't be observed on Apple's systems, for code that is shared with them.
  private func noteFormat() {
    #if DEBUG
      @Dependency(\.appStorageKeyFormatWarningEnabled) var isEnabled
      guard isEnabled, key.contains(".") || key.hasPrefix("@") else { return }
      guard isTesting || NotedKeys.shared.insert(key) else { return }
      let character: String = key.hasPrefix("@") ? "@" : "."
      reportIssue(
        """
        A Shared app storage key (\(key.debugDescription)) contains an invalid character \
        (\(character.debugDescription)) for key-value observation. External updates are observed \
        here all the same, but less efficiently and accurately on Apple's platforms, where they \
        come via notification center, instead.

        Please reformat this key by removing invalid characters in order to ensure efficient, \
        cross-process observation.

        If you cannot control the format of this key and would like to silence this warning, \
        override the '\\.appStorageKeyFormatWarningEnabled' dependency at the entry point of your \
        application. For example:

            prepareDependencies {
              $0.appStorageKeyFormatWarningEnabled = false
            }
        """)
    #endif
  }
}
