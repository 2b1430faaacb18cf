internal import ConcurrencyExtras
internal import Dependencies
public import Observation
public import Synchronization

/// What an observable state holds to tell observers of its properties.
///
/// Copies of a state share their observers. It is no part of the state's value: any two are
/// equal, and nothing of it is encoded.
public struct ObservationStateRegistrar: Sendable {
  private var location = ObservableStateID.nextLocation()

  @usableFromInline let observers = Observers()

  /// A registrar without observers.
  public init() {}

  /// The identity of the state.
  public var id: ObservableStateID {
    ObservableStateID(location: location, isValue: false)
  }

  /// Gives the state an identity of its own.
  public mutating func _$willModify() {
    location = ObservableStateID.nextLocation()
  }

  /// Whether who reads a property now may be an observer: everyone but a reducer.
  public var _$mayBeRead: Bool {
    !ReducingThread.isCurrent
  }

  /// Whether a property was ever read by who may be an observer.
  ///
  /// Properties are told apart by `flag`, a bit that two of them may share.
  @inlinable
  public func _$mayBeObserved(_ flag: UInt64) -> Bool {
    observers.flags.load(ordering: .relaxed) & flag != 0
  }

  /// Notes that a property was read, so that who reads now hears of its next change.
  @inline(never)
  public func _$access<Subject: Observable, Member>(
    _ subject: Subject, keyPath: KeyPath<Subject, Member>, flag: UInt64
  ) {
    observers.flags.bitwiseOr(flag, ordering: .relaxed)
    observers.made.access(subject, keyPath: keyPath)
  }

  /// Notes that a property was read, so that who reads now hears of its next change.
  public func access<Subject: Observable, Member>(
    _ subject: Subject, keyPath: KeyPath<Subject, Member>
  ) {
    guard _$mayBeRead else { return }
    _$access(subject, keyPath: keyPath, flag: .max)
  }

  /// Tells the observers of a property that it is about to change.
  public func willSet<Subject: Observable, Member>(
    _ subject: Subject, keyPath: KeyPath<Subject, Member>
  ) {
    guard let registrar = observers.registrar else { return }
    // Who is told may read again at once, to hear of the change after this one.
    ReducingThread.leaving {
      ReducerReads.without { registrar.willSet(subject, keyPath: keyPath) }
    }
  }

  /// Tells the observers of a property that it has changed.
  public func didSet<Subject: Observable, Member>(
    _ subject: Subject, keyPath: KeyPath<Subject, Member>
  ) {
    guard let registrar = observers.registrar else { return }
    ReducingThread.leaving {
      ReducerReads.without { registrar.didSet(subject, keyPath: keyPath) }
    }
  }

  /// Assigns to a property, and tells its observers unless the new value is identical.
  public func mutate<Subject: Observable, Member>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    _ value: inout Member,
    _ newValue: Member,
    _ isIdentityEqual: (Member, Member) -> Bool,
    _ shouldNotifyObservers: (Member, Member) -> Bool = { _, _ in true }
  ) {
    guard shouldNotifyObservers(value, newValue), !isIdentityEqual(value, newValue) else {
      value = newValue
      return
    }
    willSet(subject, keyPath: keyPath)
    value = newValue
    didSet(subject, keyPath: keyPath)
  }

  /// Begins a change in place: the value before it, to be given to `didModify`.
  @_disfavoredOverload
  public func willModify<Subject: Observable, Member>(
    _ subject: Subject, keyPath: KeyPath<Subject, Member>, _ member: inout Member
  ) -> Member {
    member
  }

  /// Begins a change in place of an observable state: the value before it, to be given to
  /// `didModify`.
  public func willModify<Subject: Observable, Member: ObservableState>(
    _ subject: Subject, keyPath: KeyPath<Subject, Member>, _ member: inout Member
  ) -> Member {
    member._$willModify()
    return member
  }

  /// Ends a change in place, and tells the observers unless the value is identical to the old.
  public func didModify<Subject: Observable, Member>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    _ member: inout Member,
    _ oldValue: Member,
    _ isIdentityEqual: (Member, Member) -> Bool,
    _ shouldNotifyObservers: (Member, Member) -> Bool = { _, _ in true }
  ) {
    guard shouldNotifyObservers(oldValue, member), !isIdentityEqual(oldValue, member) else {
      return
    }
    willSet(subject, keyPath: keyPath)
    didSet(subject, keyPath: keyPath)
  }
}

extension ObservationStateRegistrar: Equatable, Hashable, Codable {
  public static func == (_: Self, _: Self) -> Bool { true }

  public func hash(into hasher: inout Hasher) {}

  public init(from decoder: any Decoder) throws {
    self.init()
  }

  public func encode(to encoder: any Encoder) throws {}
}

/// The observers that copies of a state share; made when the first property is read.
@usableFromInline
final class Observers: Sendable {
  /// The properties that were read; see `_$mayBeObserved`.
  @usableFromInline let flags = Atomic<UInt64>(0)

  /// The address of the box, 0 until it is made; an `AtomicLazyReference` costs a hundred
  /// nanoseconds to read, since nothing of it is specialised.
  private let box = Atomic<UInt>(0)

  deinit {
    guard let made = UnsafeRawPointer(bitPattern: box.load(ordering: .relaxed)) else { return }
    Unmanaged<Box>.fromOpaque(made).release()
  }

  /// The registrar, if a property was ever read.
  var registrar: ObservationRegistrar? {
    guard let made = UnsafeRawPointer(bitPattern: box.load(ordering: .acquiring)) else {
      return nil
    }
    return Unmanaged<Box>.fromOpaque(made)._withUnsafeGuaranteedRef { $0.registrar }
  }

  var made: ObservationRegistrar {
    if let registrar { return registrar }
    let new = Unmanaged.passRetained(Box())
    let (stored, found) = box.compareExchange(
      expected: 0, desired: UInt(bitPattern: new.toOpaque()), ordering: .acquiringAndReleasing)
    if stored { return new._withUnsafeGuaranteedRef { $0.registrar } }
    new.release()
    // Another thread has made it, and nothing makes it go as long as this lives.
    return UnsafeRawPointer(bitPattern: found).map {
      Unmanaged<Box>.fromOpaque($0)._withUnsafeGuaranteedRef { $0.registrar }
    } ?? ObservationRegistrar()
  }

  private final class Box: Sendable {
    let registrar = ObservationRegistrar()
  }
}
