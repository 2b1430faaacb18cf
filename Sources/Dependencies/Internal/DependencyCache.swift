import Foundation
import IssueReporting
import Synchronization

/// The values made from keys, once for each context and each test.
final class DependencyCache: Sendable {
  /// The cache of the process, but for its live values.
  static let process: DependencyCache = {
    if TestContext.current == .xcTest { observeXCTest() }
    return DependencyCache()
  }()

  /// The live values of the process.
  static let live = TypeTable()

  private struct Key: Hashable {
    var id: ObjectIdentifier
    var context: DependencyContext
    /// A late read by a test that is over keeps to the values of that test.
    var test: TestContext.Testing.Test.ID?
  }

  private struct Entries {
    var values: [Key: any AnyObject & Sendable] = [:]
    /// Those of the live context outside of tests, which replays read again and again.
    var liveValues: Overrides?
    /// Locks of the values that are being made.
    var pending: [Key: NSRecursiveLock] = [:]
    /// Values of a replay that are live ones, since their keys have no others.
    var live: Set<ObjectIdentifier> = []
  }

  private let entries = Mutex(Entries())

  func value<K: TestDependencyKey>(
    for key: K.Type, in context: DependencyContext, isSetting: Bool, isReplaying: Bool,
    function: StaticString
  ) -> K.Value {
    let entry = entry(for: key, in: context)
    let found: (box: AnyObject?, lock: NSRecursiveLock?) = entries.withLock {
      if let box = box(entry, in: $0) { return (box, nil) }
      if let lock = $0.pending[entry] { return (nil, lock) }
      let lock = NSRecursiveLock()
      $0.pending[entry] = lock
      return (nil, lock)
    }
    if let box = found.box { return unsafeDowncast(box, to: DependencyBox<K.Value>.self).value }

    // Only threads that want this very value wait while it is made, and making it may read others.
    found.lock?.lock()
    defer { found.lock?.unlock() }
    if let box = entries.withLock({ box(entry, in: $0) }) {
      return unsafeDowncast(box, to: DependencyBox<K.Value>.self).value
    }
    let reader = DependencyReader.current
    let outer: DependencyReader = reader.pointee
    defer { reader.pointee = outer }
    reader.pointee.isSetting = isSetting
    reader.pointee.isReplaying = isReplaying
    reader.pointee.function = function
    // What a value is made of is read once in a process, whichever reducer comes first.
    let value: K.Value = ReducerReads.without {
      isReplaying
        ? replayedValue(key, reader: reader)
        : Self.freshValue(key, in: context, reader: reader.pointee)
    }
    // What was read to be changed has reported nothing, and must do so when it is used.
    guard !isSetting else { return value }
    entries.withLock { entries in
      store(DependencyBox(value), entry, in: &entries)
      entries.pending[entry] = nil
    }
    return value
  }

  /// Whether the value of a key, which was read for a replay before, is its live one.
  func isLive<K: TestDependencyKey>(_ key: K.Type) -> Bool {
    entries.withLock { $0.live.contains(ObjectIdentifier(key)) }
  }

  /// Sets the value for the process; `false` when it is there already.
  func prepare<K: TestDependencyKey>(
    _ key: K.Type, _ value: K.Value, in context: DependencyContext
  ) -> Bool {
    let entry = entry(for: key, in: context)
    return entries.withLock { entries in
      // A preview is built again and again in one process.
      guard context == .preview || box(entry, in: entries) == nil else { return false }
      store(DependencyBox(value), entry, in: &entries)
      return true
    }
  }

  /// Forgets every value.
  func removeAll() {
    entries.withLock {
      $0.values = [:]
      $0.liveValues = nil
    }
  }

  private func entry<K: TestDependencyKey>(
    for key: K.Type, in context: DependencyContext
  ) -> Key {
    var test: TestContext.Testing.Test.ID?
    if isTesting, case .swiftTesting(let testing?) = TestContext.current { test = testing.test.id }
    return Key(id: ObjectIdentifier(key), context: context, test: test)
  }

  private func box(_ entry: Key, in entries: borrowing Entries) -> AnyObject? {
    guard entry.context == .live, entry.test == nil else { return entries.values[entry] }
    return self === Self.process
      ? Self.live[entry.id]?.takeUnretainedValue() : entries.liveValues?[entry.id]
  }

  private func store(
    _ box: any AnyObject & Sendable, _ entry: Key, in entries: inout Entries
  ) {
    guard entry.context == .live, entry.test == nil else {
      entries.values[entry] = box
      return
    }
    if self === Self.process {
      _ = Self.live.insert(box, for: entry.id)
    } else {
      entries.liveValues = entries.liveValues?.setting(entry.id, box) ?? Overrides(entry.id, box)
    }
  }

  /// The value in a replay: that for tests, unless a key has none or its values do no harm.
  private func replayedValue<K: TestDependencyKey>(
    _ key: K.Type, reader: UnsafeMutablePointer<DependencyReader>
  ) -> K.Value {
    if key is any UnreadKey.Type, let live = key as? any DependencyKey.Type,
      let value = live.liveValue as? K.Value
    {
      return value
    }
    if let replayed = key as? any ReplayedKey.Type, let value = replayed.replayedValue as? K.Value {
      return value
    }
    reader.pointee.gaveLive = false
    let value: K.Value = withIssueReporters([]) { K.testValue }
    if reader.pointee.gaveLive {
      entries.withLock { _ = $0.live.insert(ObjectIdentifier(key)) }
    }
    return value
  }

  private static func freshValue<K: TestDependencyKey>(
    _ key: K.Type, in context: DependencyContext, reader: DependencyReader
  ) -> K.Value {
    switch context {
    case .preview: return K.previewValue
    case .test: return K.testValue
    case .live: break
    }
    if let live = key as? any DependencyKey.Type, let value = live.liveValue as? K.Value {
      return value
    }
    guard !reader.isSetting else { return K.testValue }
    reportIssue(
      """
      \(reader.name(for: key)) has no live implementation, but was accessed from a live context.

      \(reader.details(for: key))

      To fix this, either conform '\(typeName(key))' to 'DependencyKey' with a 'liveValue', in a \
      module that is linked with this program, or override the dependency by 'withDependencies' \
      (or once, as the program starts, by 'prepareDependencies').
      """,
      fileID: reader.place?.fileID ?? #fileID, filePath: reader.place?.filePath ?? #filePath,
      line: reader.place?.line ?? #line, column: reader.place?.column ?? #column)
    return K.testValue
  }
}

/// What tells when a test of XCTest ends; the module that links XCTest has one.
package protocol TestEndObserver: AnyObject {
  static func start()
}

/// Starts the observer of `DependenciesTestSupport`, if a test links that module.
///
/// By name, since nothing that a program is built of may link a test framework.
private func observeXCTest() {
  let type: Any.Type? = _typeByName("23DependenciesTestSupport14XCTestObserverC")
  (type as? any TestEndObserver.Type)?.start()
}
