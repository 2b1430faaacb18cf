import ConcurrencyExtras
import Foundation
import Synchronization

/// User defaults that tell ``DefaultsCenter`` of every change that is made through them.
///
/// There is no key-value observing here, and no notification is ever sent. Apple's systems observe
/// an object by making it an object of a subclass that tells of changes, and so does ``observe(_:)``:
/// it needs no help of whoever made the object, and works for `UserDefaults.standard` too. Changes
/// through other objects for the same defaults are found by looking at them.
final class ObservedDefaults: UserDefaults {
  // No stored properties: the object has been allocated as one of the class above.

  /// Held while Foundation is at work, so that what takes two steps is one. None of it calls other
  /// code.
  private static let lock = NSRecursiveLock()

  override func object(forKey key: String) -> Any? {
    Self.lock.withLock { UncheckedSendable(super.object(forKey: key)) }.value
  }

  override func set(_ value: Any?, forKey key: String) {
    guard let value else {
      removeObject(forKey: key)
      return
    }
    Self.lock.withLock { super.set(value, forKey: key) }
    told(key)
  }

  override func set(_ value: Int, forKey key: String) { set(value as Any, forKey: key) }
  override func set(_ value: Float, forKey key: String) { set(value as Any, forKey: key) }
  override func set(_ value: Double, forKey key: String) { set(value as Any, forKey: key) }
  override func set(_ value: Bool, forKey key: String) { set(value as Any, forKey: key) }

  // The inherited one never ends when it is given `nil`.
  override func set(_ url: URL?, forKey key: String) {
    setURL(url, forKey: key)
  }

  override func removeObject(forKey key: String) {
    Self.lock.withLock {
      super.removeObject(forKey: key)
      // What has been written to disk is given back for as long as its removal has not.
      if super.object(forKey: key) != nil { _ = synchronize() }
    }
    told(key)
  }

  override func register(defaults: [String: Any]) {
    Self.lock.withLock { super.register(defaults: defaults) }
    for key in defaults.keys { DefaultsCenter.shared.changed(key) }
  }

  override func setPersistentDomain(_ domain: [String: Any], forName name: String) {
    Self.lock.withLock { super.setPersistentDomain(domain, forName: name) }
    told(nil)
  }

  override func removePersistentDomain(forName name: String) {
    Self.lock.withLock { super.removePersistentDomain(forName: name) }
    told(nil)
  }

  override func synchronize() -> Bool {
    Self.lock.withLock { DefaultsFolder.withLock(of: self) { super.synchronize() } }
  }

  private func told(_ key: String?) {
    // Not under the lock: who is told may be anybody.
    DefaultsCenter.shared.changed(key)
    DefaultsCenter.shared.write(self)
  }

  /// Makes the object tell of changes from now on; one of a subclass of somebody else's stays as
  /// it is.
  static func observe(_ store: UserDefaults) {
    guard isPlain(store) else { return }
    lock.withLock {
      guard isPlain(store) else { return }
      let observed = unsafeBitCast(ObservedDefaults.self as AnyClass, to: UInt.self)
      // An object starts with the pointer to its class; a reader sees the old or the new one.
      let object = Unmanaged.passUnretained(store).toOpaque()
      let pointer = UnsafePointer<Atomic<UInt>>(object.assumingMemoryBound(to: Atomic<UInt>.self))
      pointer.pointee.store(observed, ordering: .releasing)
    }
  }

  private static func isPlain(_ store: UserDefaults) -> Bool {
    ObjectIdentifier(type(of: store)) == ObjectIdentifier(UserDefaults.self)
  }
}

extension UserDefaults {
  /// Brings changes to disk and others' changes from there, while no other process does.
  func exchange() {
    if self is ObservedDefaults {
      synchronize()
    } else {
      DefaultsFolder.withLock(of: self) { _ = synchronize() }
    }
  }
}
