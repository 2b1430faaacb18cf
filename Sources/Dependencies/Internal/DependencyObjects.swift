import Synchronization

/// The dependencies that objects were made with, for those that `withDependencies` returned.
final class DependencyObjects: Sendable {
  static let shared = DependencyObjects()

  private struct Entry: @unchecked Sendable {
    // Only its liveness is looked at.
    weak var object: AnyObject?
    var values: DependencyValues
  }

  private struct Table {
    var entries: [ObjectIdentifier: Entry] = [:]
    /// The size at which entries of dead objects are swept out.
    var sweepAt = 64
  }

  private let table = Mutex(Table())

  /// Notes the current dependencies for the result of an operation, if that is an object.
  func remember<R>(_ result: R) {
    guard R.self is AnyClass else { return }
    let object = result as AnyObject
    let entry = Entry(object: object, values: DependencyValues._current)
    let id = ObjectIdentifier(object)
    table.withLock { table in
      if table.entries.count >= table.sweepAt {
        table.entries = table.entries.filter { $0.value.object != nil }
        table.sweepAt = max(64, table.entries.count * 2)
      }
      table.entries[id] = entry
    }
  }

  /// The dependencies that an object was made with.
  func values(of object: AnyObject) -> DependencyValues? {
    let id = ObjectIdentifier(object)
    let entry: Entry? = table.withLock { $0.entries[id] }
    if let entry, entry.object != nil { return entry.values }
    var mirror: Mirror? = Mirror(reflecting: object)
    while let current = mirror {
      for child in current.children {
        if let dependency = child.value as? any HasInitialValues { return dependency.initialValues }
      }
      mirror = current.superclassMirror
    }
    return nil
  }
}
