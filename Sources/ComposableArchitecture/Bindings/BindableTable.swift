internal import Synchronization

/// The properties of a state that binding actions write, listed once, with the places that key
/// paths were found at.
// `@unchecked`: nothing in it changes but what the lock guards, and key paths are immutable.
final class BindableTable<Root: _$BindableState>: @unchecked Sendable {
  let properties: [_$BindableProperty<Root>]

  /// The most key paths that are remembered. Generic code makes its key paths anew each time: this
  /// bounds what they can take.
  private static var limit: Int { 256 }

  private struct Known: @unchecked Sendable {
    var keyPath: AnyKeyPath
    var index: Int?
  }

  private let known = Mutex<[ObjectIdentifier: Known]>([:])

  private init() {
    self.properties = Root._$bindableProperties
  }

  /// The table of the root.
  static var shared: BindableTable {
    let key = ObjectIdentifier(Root.self)
    if let table = tables.withLock({ $0[key] }) as? BindableTable { return table }
    // Made outside of the lock, since the properties of parts are listed by their own type.
    let table = BindableTable()
    tables.withLock { $0[key] = table }
    return table
  }

  /// The place of the property that a key path leads to; nil where it is not listed.
  ///
  /// To compare two key paths is slow, and an application has the same few hundred of them all its
  /// life.
  func index(of keyPath: PartialKeyPath<Root>) -> Int? {
    let key = ObjectIdentifier(keyPath)
    if let found = self.known.withLock({ $0[key] }) { return found.index }
    let index = self.properties.firstIndex { $0.keyPath == keyPath }
    let found = Known(keyPath: keyPath, index: index)
    self.known.withLock { if $0.count < Self.limit { $0[key] = found } }
    return index
  }
}

private let tables = Mutex<[ObjectIdentifier: any Sendable]>([:])
