/// A key without its type, as a reference holds it.
///
/// A class, since a key's value must be sendable and a reference's need not be.
class KeyBox<Value>: @unchecked Sendable {
  /// What the references of the key are kept under.
  let id: PersistentReferenceID

  fileprivate init(_ id: PersistentReferenceID) {
    self.id = id
  }

  var description: String { "" }

  /// What the key is called in a log.
  var name: SharedKeyName? { nil }

  /// Whether values are saved.
  var isWritable: Bool { false }

  /// Where a key in memory keeps its value.
  var slot: InMemorySlot<Value>? { nil }

  func load(
    context: LoadContext<Value>,
    callback: @escaping @Sendable (Result<Value?, any Error>) -> Void
  ) {}

  func subscribe(
    context: LoadContext<Value>,
    callback: @escaping @Sendable (Result<Value?, any Error>) -> Void,
    onLoading: @escaping @Sendable (Bool) -> Void
  ) -> SharedSubscription? { nil }

  func save(
    _ value: Value, context: SaveContext,
    callback: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) {}
}

/// A key that is only read.
class ReaderKeyBox<Key: SharedReaderKey>: KeyBox<Key.Value>, @unchecked Sendable {
  let key: Key

  init(_ key: Key) {
    self.key = key
    super.init(PersistentReferenceID(key))
  }

  override var description: String { String(describing: key) }
  override var name: SharedKeyName? { SharedKeyName(key) }

  override func load(
    context: LoadContext<Key.Value>,
    callback: @escaping @Sendable (Result<Key.Value?, any Error>) -> Void
  ) {
    key.load(
      context: context,
      continuation: LoadContinuation("\(self.description)", callback: callback))
  }

  override func subscribe(
    context: LoadContext<Key.Value>,
    callback: @escaping @Sendable (Result<Key.Value?, any Error>) -> Void,
    onLoading: @escaping @Sendable (Bool) -> Void
  ) -> SharedSubscription? {
    key.subscribe(
      context: context, subscriber: SharedSubscriber(callback: callback, onLoading: onLoading))
  }
}

/// A key that is read and written.
final class WriterKeyBox<Key: SharedKey>: ReaderKeyBox<Key>, @unchecked Sendable {
  override var isWritable: Bool { true }

  override var slot: InMemorySlot<Key.Value>? {
    if let key = key as? InMemoryKey<Key.Value> { return key.slot }
    return (key as? InMemoryKey<Key.Value>.Default)?.base.slot
  }

  override func save(
    _ value: Key.Value, context: SaveContext,
    callback: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) {
    key.save(
      value, context: context,
      continuation: SaveContinuation("\(self.description)", callback: callback))
  }
}

/// What stands for a key where nothing is loaded, saved or watched.
final class DetachedKeyBox<Value>: KeyBox<Value>, @unchecked Sendable {
  private let detachedName: SharedKeyName

  init(_ name: SharedKeyName) {
    self.detachedName = name
    super.init(PersistentReferenceID(name))
  }

  override var description: String { detachedName.key }
  override var name: SharedKeyName? { detachedName }

  override func load(
    context: LoadContext<Value>,
    callback: @escaping @Sendable (Result<Value?, any Error>) -> Void
  ) {
    callback(.success(context.initialValue))
  }
}

extension SharedReaderKey {
  /// This key without its type; one that can be written is one that is.
  func boxed() -> KeyBox<Value> {
    func open(_ key: some SharedKey) -> KeyBox<Value>? {
      WriterKeyBox(key) as AnyObject as? KeyBox<Value>
    }
    if let key = self as? any SharedKey, let box = open(key) { return box }
    return ReaderKeyBox(self)
  }
}
