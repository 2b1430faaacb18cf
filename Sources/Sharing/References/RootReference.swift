internal import ConcurrencyExtras
internal import Dependencies

/// A reference that holds its value itself, for a key or for nobody else.
///
/// Two locks guard it. The writers' lock is held while somebody changes the value, so that a change
/// is one unit of work; the change is made to a copy, and others go on to read what was there. The
/// other lock is held only to copy values in and out, and no code of others runs under it.
@usableFromInline
final class RootReference<Value>: ReferenceCore, MutableReference, @unchecked Sendable {
  let key: KeyBox<Value>?
  private let table: PersistentReferences?
  private let initialValue: Value?
  /// Where a key in memory keeps the value, which needs no more than to be put there.
  @usableFromInline let slot: InMemorySlot<Value>?

  // Guarded by the lock.
  @usableFromInline @exclusivity(unchecked) var current: Value
  @exclusivity(unchecked) private var receivers: [Receiver] = []
  @exclusivity(unchecked) private var isSaving = false
  @exclusivity(unchecked) private var pendingSaves: [PendingSave] = []
  /// The thread that saves, and whether another one brought a value of others meanwhile: which of
  /// the two came last into the place outside is not known then.
  @exclusivity(unchecked) private var savingThread: UInt = 0
  @exclusivity(unchecked) private var isOvertaken = false
  @exclusivity(unchecked) private var status = Status()
  @exclusivity(unchecked) private var subscription: SharedSubscription?

  private struct Receiver {
    var id: UInt64
    var receive: @Sendable (_SharedElement<Value>) -> Void
  }

  private struct PendingSave {
    var value: Value
    var context: SaveContext
    var completion: (@Sendable (Result<Void, any Error>) -> Void)?
  }

  private struct Status {
    var isLoading = false
    var loadError: (any Error)?
    var saveError: (any Error)?
  }

  init(
    _ value: Value, key: KeyBox<Value>? = nil, table: PersistentReferences? = nil,
    place: SourcePlace
  ) {
    self.current = value
    self.initialValue = key == nil ? nil : value
    self.key = key
    self.slot = key?.slot
    self.table = table
    super.init(place: place)
    isFollowed = savesByKey
  }

  deinit {
    if let key { table?.remove(key.id, serial: serial) }
  }

  @usableFromInline
  var description: String {
    key?.description ?? "value: \(String(reflecting: rawValue))"
  }

  @usableFromInline
  static func == (lhs: RootReference, rhs: RootReference) -> Bool { lhs === rhs }

  // MARK: Reading

  @inlinable
  var wrappedValue: Value {
    if Self.isReadingWatched { return watchedValue }
    willRead()
    return rawValue
  }

  /// The value; reading it is not observed.
  @inlinable
  var rawValue: Value {
    lock()
    defer { unlock() }
    return current
  }

  /// The value, or another one while changes are asserted.
  @usableFromInline
  var watchedValue: Value {
    if let reads = SharedSession.current { return value(for: reads) }
    willRead()
    guard SharedTrackers.isAnyAlive else { return rawValue }
    return SharedTrackers.assertedValue(of: self) ?? rawValue
  }

  /// The value for a reducer in whose reads somebody takes part.
  private func value(for reads: any SharedReads) -> Value {
    let target: RootReference = substitute(reads.willUse(self, .read))
    let (value, version): (Value, UInt64) = target.locked { (target.current, target.changes) }
    reads.didSee(value, version: version, of: target)
    return value
  }

  /// The reference that is to be used in place of this one.
  private func substitute(_ other: any AnyRootReference) -> RootReference {
    other === self ? self : other as? RootReference ?? self
  }

  // MARK: Changing

  @inlinable
  func withLock<R>(_ body: (inout Value) throws -> R) rethrows -> R {
    if mayBeTracked { return try trackedChange(body) }
    return try change(body)
  }

  @usableFromInline
  func trackedChange<R>(_ body: (inout Value) throws -> R) rethrows -> R {
    if let reads = SharedSession.current, SharedTrackers.asserting == nil {
      let target: RootReference = substitute(reads.willUse(self, .change))
      for tracker in SharedTrackers.tracking { tracker.note(target) }
      return try target.change(for: reads, body)
    }
    if let tracker = SharedTrackers.asserting {
      return try tracker.changeExpectation(of: self, body)
    }
    for tracker in SharedTrackers.tracking { tracker.note(self) }
    return try change(body)
  }

  @inlinable
  func change<R>(_ body: (inout Value) throws -> R) rethrows -> R {
    let wasTold: Bool = willChange()
    lockWriters()
    var value: Value = rawValue
    // What was changed before an error was thrown stays changed, as in any value.
    defer {
      let isSaver: Bool = commit(value).isSaver
      unlockWriters()
      if isSaver { drainSaves(value) }
      didChange(wasTold: wasTold)
    }
    return try body(&value)
  }

  /// A change by a reducer in whose reads somebody takes part.
  private func change<R>(
    for reads: any SharedReads, _ body: (inout Value) throws -> R
  ) rethrows -> R {
    let wasTold: Bool = willChange()
    var (value, version): (Value, UInt64) = locked { (current, changes) }
    while true {
      // Before the writers' lock is taken: a value that is new is encoded there.
      reads.didSee(value, version: version, of: self)
      lockWriters()
      let (now, nowVersion): (Value, UInt64) = locked { (current, changes) }
      if nowVersion == version { break }
      unlockWriters()
      (value, version) = (now, nowVersion)
    }
    defer {
      let (isSaver, version): (Bool, UInt64) = commit(value)
      reads.didChange(self, to: version)
      unlockWriters()
      if isSaver { ReducerReads.without { drainSaves(value) } }
      didChange(wasTold: wasTold)
    }
    return try body(&value)
  }

  /// Puts a value in place, and hands it to whoever follows.
  ///
  /// - Returns: Whether the caller is to save it (otherwise it is not to be saved, or whoever saves
  ///   now will go on with it), and the version that the value has now.
  @inlinable
  func commit(_ value: Value) -> (isSaver: Bool, version: UInt64) {
    // The old value's end may be somebody's code, which must not run under the lock.
    var old: Value = value
    var isSaver = false
    lock()
    swap(&current, &old)
    changes &+= 1
    slot?.put(value)
    let version: UInt64 = changes
    if isFollowed { isSaver = handOn(value) }
    unlock()
    withExtendedLifetime(old) {}
    return (isSaver, version)
  }

  /// Hands a value to receivers, and to who saves it; called under the lock.
  @usableFromInline
  func handOn(_ value: Value) -> Bool {
    for receiver in receivers { receiver.receive(_SharedElement { value }) }
    guard savesByKey else { return false }
    guard !isSaving else {
      pendingSaves.append(PendingSave(value: value, context: .didSet))
      return false
    }
    isSaving = true
    return true
  }

  /// Takes a value from outside, which is not saved.
  ///
  /// - Parameter version: The value is taken only if nothing has changed since this version.
  /// - Returns: Whether it was taken.
  @discardableResult
  private func receive(
    _ value: Value, ifUnchangedSince version: UInt64? = nil, by changer: SharedChanger = .place
  ) -> Bool {
    let wasTold: Bool = willChange()
    var old: Value = value
    let isTaken: Bool = locked {
      guard version == nil || version == changes else { return false }
      if isSaving, savingThread != ReducingThread.current { isOvertaken = true }
      swap(&current, &old)
      changes &+= 1
      for receiver in receivers { receiver.receive(_SharedElement { value }) }
      return true
    }
    withExtendedLifetime(old) {}
    didChange(wasTold: wasTold, by: changer)
    return isTaken
  }

  // MARK: Saving

  /// Whether the key is to be called for each change.
  private var savesByKey: Bool {
    key.map { $0.isWritable } == true && slot == nil
  }

  @usableFromInline
  var saveError: (any Error)? {
    SharedStatusReads.error(SharedStatusReads.saveError) { property(.saveError) { $0.saveError } }
  }

  @usableFromInline
  func save() async throws {
    try await withCheckedThrowingContinuation { continuation in
      guard let key, key.isWritable else { return continuation.resume() }
      let save: PendingSave? = locked {
        let save = PendingSave(value: current, context: .userInitiated) {
          continuation.resume(with: $0)
        }
        if isSaving {
          pendingSaves.append(save)
          return nil
        }
        isSaving = true
        return save
      }
      if let save { drainSaves(save) }
    }
  }

  @usableFromInline
  func drainSaves(_ first: Value) {
    drainSaves(PendingSave(value: first, context: .didSet))
  }

  /// Saves a value, and those that were put in place meanwhile: one after the other, in order, and
  /// with no lock held.
  private func drainSaves(_ first: PendingSave) {
    guard let key else { return }
    var next: PendingSave? = first
    var isOvertaken = false
    while let save = next {
      let completion = save.completion
      locked { savingThread = ReducingThread.current }
      key.save(save.value, context: save.context) { [weak self] result in
        self?.didSave(result)
        completion?(result)
      }
      next = locked {
        guard pendingSaves.isEmpty else { return pendingSaves.removeFirst() }
        isSaving = false
        isOvertaken = self.isOvertaken
        self.isOvertaken = false
        return nil
      }
    }
    if isOvertaken { loadAgain() }
  }

  /// Takes what is in the place outside by now, unless something else changes the value meanwhile.
  private func loadAgain() {
    guard let key else { return }
    let version: UInt64 = locked { changes }
    key.load(context: .userInitiated) { [weak self] result in
      guard let self else { return }
      guard case .success(let value) = result else { return didLoad(result) }
      guard let value = value ?? initialValue else { return }
      if !receive(value, ifUnchangedSince: version) { loadAgain() }
    }
  }

  private func didSave(_ result: Result<Void, any Error>) {
    switch result {
    case .success:
      guard locked({ status.saveError != nil }) else { return }
      set(.saveError) { $0.saveError = nil }
    case .failure(let error):
      set(.saveError) { $0.saveError = error }
    }
  }

  // MARK: Loading

  @usableFromInline
  var isLoading: Bool {
    SharedStatusReads.isLoading.read { property(.isLoading) { $0.isLoading } }
  }

  @usableFromInline
  var loadError: (any Error)? {
    SharedStatusReads.error(SharedStatusReads.loadError) { property(.loadError) { $0.loadError } }
  }

  @usableFromInline
  func load() async throws {
    try await withCheckedThrowingContinuation { continuation in
      guard let key else { return continuation.resume() }
      set(.isLoading) { $0.isLoading = true }
      key.load(context: .userInitiated) { [weak self] result in
        self?.didLoad(result)
        continuation.resume(with: result.map { _ in })
      }
    }
  }

  /// Loads the value of a reference that was just made.
  func loadInitialValue() {
    guard let key, let initialValue else { return }
    locked { status.isLoading = true }
    key.load(context: .initialValue(initialValue)) { [weak self] result in
      self?.didLoad(result, isInitial: true)
    }
  }

  /// Begins to follow what others change.
  func subscribe(loads: Bool) {
    guard let key, let initialValue else { return }
    let subscription: SharedSubscription? = key.subscribe(
      context: loads ? .initialValue(initialValue) : .userInitiated,
      callback: { [weak self] result in self?.didLoad(result) },
      onLoading: { [weak self] isLoading in
        self?.set(.isLoading) { $0.isLoading = isLoading }
      })
    locked { self.subscription = subscription }
  }

  /// Takes what a key has loaded, or what it says that others changed.
  ///
  /// - Parameter isInitial: No value then means that the default, which is there, was right.
  private func didLoad(_ result: Result<Value?, any Error>, isInitial: Bool = false) {
    let status: Status = locked { self.status }
    if status.isLoading { set(.isLoading) { $0.isLoading = false } }
    switch result {
    case .success(let value):
      if status.loadError != nil { set(.loadError) { $0.loadError = nil } }
      if let value = value ?? (isInitial ? nil : initialValue) { receive(value) }
    case .failure(let error):
      set(.loadError) { $0.loadError = error }
    }
  }

  private func property<Member>(
    _ property: ReferenceObservers.Property, _ member: (Status) -> Member
  ) -> Member {
    access(property)
    let status: Status = locked { self.status }
    return member(status)
  }

  private func set(_ property: ReferenceObservers.Property, _ update: (inout Status) -> Void) {
    let wasTold: Bool = willChange(property)
    let old: Status = locked {
      let old: Status = status
      update(&status)
      return old
    }
    // Its error's end may be somebody's code, which must not run under the lock.
    withExtendedLifetime(old) {}
    didChange(property, wasTold: wasTold)
  }

  // MARK: Following

  @usableFromInline
  func _subscribe(
    _ receive: @escaping @Sendable (_SharedElement<Value>) -> Void
  ) -> SharedSubscription {
    let id: UInt64 = Self.nextNumber()
    locked {
      let value: Value = current
      receive(_SharedElement { value })
      receivers.append(Receiver(id: id, receive: receive))
      isFollowed = true
    }
    return SharedSubscription { [weak self] in
      guard let self else { return }
      let old: [Receiver] = locked {
        let old: [Receiver] = receivers
        receivers.removeAll { $0.id == id }
        isFollowed = savesByKey || !receivers.isEmpty
        return old
      }
      withExtendedLifetime(old) {}
    }
  }

  private func locked<R>(_ body: () -> R) -> R {
    lock()
    defer { unlock() }
    return body()
  }

  // MARK: For a recorder

  package override var identity: ReferenceIdentity {
    key.map { .key($0.id) } ?? .serial(serial)
  }

  package override var versionedValue: (value: Any, version: UInt64) {
    let (value, version): (Value, UInt64) = locked { (current, changes) }
    return (value, version)
  }

  package override func replaceValue(_ value: Any) -> Bool {
    guard let value = value as? Value else { return false }
    receive(value, by: .program)
    return true
  }

  package override var keyName: SharedKeyName? { key?.name }
  package override var valueType: Any.Type { Value.self }
  package override var coding: SharedValueCoding { SharedValueCoding(Value.self) }

  package override func detachedCopy() -> any AnyRootReference {
    makeDetachedReference(rawValue, for: keyName)
  }

  /// A reference without a key, for whoever makes one now.
  static func making(_ value: Value, place: SourcePlace) -> RootReference {
    let reference = RootReference(value, place: place)
    guard let reads = SharedSession.current else { return reference }
    return reads.didMake(reference) as? RootReference ?? reference
  }
}

extension RootReference: DerivedReference {
  var root: (any AnyRootReference)? { self }
  func projected(from root: Any) -> Any? { root }
  func steps(from root: Any) -> [DerivationStep] { [] }
}
