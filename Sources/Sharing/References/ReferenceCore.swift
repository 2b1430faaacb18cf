internal import ConcurrencyExtras
internal import Synchronization

/// What a root reference has whatever the type of its value is.
///
/// It is no generic type: code that is generic, and not made for one type, pays for each look at
/// its metadata.
@usableFromInline
class ReferenceCore: AnyRootReference, @unchecked Sendable {
  /// The number of this reference in the order of their making.
  package let serial: UInt64 = nextNumber()
  /// Where the reference was made.
  let place: SourcePlace

  private let writers = RecursiveLock()
  private let mutex = Mutex(())

  /// How often the value was changed. Guarded by the lock.
  @usableFromInline @exclusivity(unchecked) final var changes: UInt64 = 0
  /// Whether changes are handed on, to receivers or to a key. Guarded by the lock.
  @usableFromInline @exclusivity(unchecked) final var isFollowed = false

  /// The address of the observers, which are made when the reference is first read by who may
  /// observe it.
  private let observersAddress = Atomic<UInt>(0)

  init(place: SourcePlace) {
    self.place = place
  }

  deinit {
    if let pointer = UnsafeRawPointer(bitPattern: observersAddress.load(ordering: .acquiring)) {
      Unmanaged<ReferenceObservers>.fromOpaque(pointer).release()
    }
  }

  private static let numbers = Atomic<UInt64>(0)

  static func nextNumber() -> UInt64 {
    numbers.wrappingAdd(1, ordering: .relaxed).newValue
  }

  // MARK: Locks

  /// Locks the fields; held only to copy values in and out, with no code of others.
  @usableFromInline
  final func lock() { mutex._unsafeLock() }

  @usableFromInline
  final func unlock() { mutex._unsafeUnlock() }

  /// Waits until nobody else changes the value.
  @usableFromInline
  final func lockWriters() { writers.lock() }

  @usableFromInline
  final func unlockWriters() { writers.unlock() }

  // MARK: Observers

  final var observers: ReferenceObservers? {
    unmanagedObservers?.takeUnretainedValue()
  }

  @inline(__always)
  private final var unmanagedObservers: Unmanaged<ReferenceObservers>? {
    let address: UInt = observersAddress.load(ordering: .acquiring)
    return UnsafeRawPointer(bitPattern: address).map { Unmanaged.fromOpaque($0) }
  }

  /// Notes that a property is read by who may observe it.
  final func access(_ property: ReferenceObservers.Property) {
    // They stay for as long as this reference does, so that they need not be retained.
    (unmanagedObservers ?? makeObservers())._withUnsafeGuaranteedRef { $0.access(property) }
  }

  @inline(never)
  private final func makeObservers() -> Unmanaged<ReferenceObservers> {
    let made: Unmanaged<ReferenceObservers> = .passRetained(ReferenceObservers())
    let (isNew, original): (Bool, UInt) = observersAddress.compareExchange(
      expected: 0, desired: UInt(bitPattern: made.toOpaque()), ordering: .acquiringAndReleasing)
    guard !isNew, let other = UnsafeRawPointer(bitPattern: original) else { return made }
    made.release()
    return Unmanaged.fromOpaque(other)
  }

  /// Whether a read needs more than to be observed: somebody takes part in what reducers read, or
  /// trackers assert.
  @usableFromInline
  static var isReadingWatched: Bool { SharedSession.isAnyAlive || SharedTrackers.isAnyAlive }

  /// Notes that the value is read, where reading is not watched.
  @usableFromInline
  final func willRead() {
    if !ReducingThread.isCurrent { access(.value) }
  }

  /// Tells observers of a change to come, if they can be told here and now.
  ///
  /// - Returns: Whether they were told.
  @usableFromInline
  final func willChange() -> Bool {
    guard let observers, MainQueue.isCurrent else { return false }
    observers.willSet(.value)
    return true
  }

  /// Tells observers that the value has changed, here or later on the main queue.
  @usableFromInline
  final func didChange(wasTold: Bool) {
    didChange(wasTold: wasTold, by: .program)
  }

  final func didChange(wasTold: Bool, by changer: SharedChanger) {
    if let observers {
      if wasTold { observers.didSet(.value) } else { observers.didSetElsewhere(.value) }
    }
    if SharedHooks.isActive { SharedHooks.didChange(self, by: changer) }
  }

  @usableFromInline
  final var mayBeTracked: Bool { SharedTrackers.isAnyAlive || SharedSession.isAnyAlive }

  /// Tells observers that the reference is to be looked at again.
  @usableFromInline
  final func touch() {
    didChange(.value, wasTold: willChange(.value))
  }

  final func willChange(_ property: ReferenceObservers.Property) -> Bool {
    guard let observers, MainQueue.isCurrent else { return false }
    observers.willSet(property)
    return true
  }

  final func didChange(_ property: ReferenceObservers.Property, wasTold: Bool) {
    guard let observers else { return }
    if wasTold { observers.didSet(property) } else { observers.didSetElsewhere(property) }
  }

  // MARK: For a recorder

  package var identity: ReferenceIdentity { .serial(serial) }

  package final var version: UInt64 {
    lock()
    defer { unlock() }
    return changes
  }

  package var versionedValue: (value: Any, version: UInt64) { ((), version) }

  package var keyName: SharedKeyName? { nil }
  package var valueType: Any.Type { Void.self }
  package var coding: SharedValueCoding { SharedValueCoding(Void.self) }
  package func detachedCopy() -> any AnyRootReference { self }

  package func replaceValue(_ value: Any) -> Bool { false }
}
