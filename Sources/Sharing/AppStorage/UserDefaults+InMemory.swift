public import Foundation
import Synchronization

extension UserDefaults {
  /// User defaults that are never written to disk, new and empty each time.
  public static var inMemory: UserDefaults { InMemoryDefaults() }

  /// Sets a key, as key-value coding does on Apple's systems.
  public func setValue(_ value: Any?, forKey key: String) {
    guard let value else {
      removeObject(forKey: key)
      return
    }
    set(value, forKey: key)
  }

  /// What is set for a key, as key-value coding tells it on Apple's systems.
  public func value(forKey key: String) -> Any? {
    object(forKey: key)
  }
}

/// User defaults in memory.
final class InMemoryDefaults: UserDefaults {
  private struct Contents: @unchecked Sendable {
    var values: [String: Any] = [:]
    var registered: [String: Any] = [:]
  }

  private let contents = Mutex(Contents())

  init() {
    super.init(suiteName: "retrace.memory")!
  }

  override func object(forKey key: String) -> Any? {
    contents.withLock { UncheckedValue(value: $0.values[key] ?? $0.registered[key]) }.value
  }

  override func set(_ value: Any?, forKey key: String) {
    guard let value else {
      removeObject(forKey: key)
      return
    }
    let box = UncheckedValue(value: value)
    contents.withLock { $0.values[key] = box.value }
    DefaultsCenter.shared.changed(key)
  }

  override func set(_ value: Int, forKey key: String) { set(value as Any, forKey: key) }
  override func set(_ value: Float, forKey key: String) { set(value as Any, forKey: key) }
  override func set(_ value: Double, forKey key: String) { set(value as Any, forKey: key) }
  override func set(_ value: Bool, forKey key: String) { set(value as Any, forKey: key) }

  override func set(_ url: URL?, forKey key: String) {
    setURL(url, forKey: key)
  }

  override func removeObject(forKey key: String) {
    contents.withLock { $0.values[key] = nil }
    DefaultsCenter.shared.changed(key)
  }

  override func register(defaults: [String: Any]) {
    let box = UncheckedValue(value: defaults)
    contents.withLock { $0.registered.merge(box.value) { $1 } }
    for key in defaults.keys { DefaultsCenter.shared.changed(key) }
  }

  override func dictionaryRepresentation() -> [String: Any] {
    contents.withLock { contents in
      UncheckedValue(value: contents.registered.merging(contents.values) { $1 })
    }.value
  }

  override func synchronize() -> Bool { true }
}

/// Carries a property-list value over a lock.
struct UncheckedValue<Value>: @unchecked Sendable {
  var value: Value
}

extension UserDefaults {
  /// Sets a URL in the form that `url(forKey:)` reads; Foundation here keeps only a path, and so
  /// loses the rest of what is no file.
  func setURL(_ url: URL?, forKey key: String) {
    switch url.map({ url in Result { try DefaultsValue.url(url) } }) {
    case .success(let value): value.set(key, in: self)
    case .failure, nil: removeObject(forKey: key)
    }
  }
}
