internal import Dependencies
internal import Synchronization

/// What tells one presented state from the next at the same place: its id if it has one, and its
/// case if it is an enum.
///
/// States of the same identity are one presentation, whatever else changes in them.
struct StateIdentity: Hashable {
  let keyPath: AnyKeyPath?
  let tag: UInt32?
  let id: AnyHashable?

  init<State>(_ state: State, at keyPath: AnyKeyPath?) {
    self.keyPath = keyPath
    switch StateKind.of(State.self).identity {
    case .none:
      self.tag = nil
      self.id = nil
    case .id(let reader):
      self.tag = nil
      self.id = reader.id(of: state)
    case .enumeration:
      let tag = EnumCase.tag(of: state)
      self.tag = tag
      self.id = tag.flatMap {
        EnumCase.traits(of: state, tag: $0).isIdentifiable ? payloadID(of: state) : nil
      }
    }
  }

  static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.tag == rhs.tag && lhs.id == rhs.id
      && (lhs.keyPath === rhs.keyPath || lhs.keyPath == rhs.keyPath)
  }

  func hash(into hasher: inout Hasher) {
    // Hashing a key path is slow, and few places share an id.
    hasher.combine(self.tag)
    hasher.combine(self.id)
  }
}

/// What can be told of a state by its type, found once for each type.
final class StateKind: Sendable {
  enum Identity: Sendable {
    case none
    case id(any IDReader)
    case enumeration
  }

  let identity: Identity
  // A type, which is the same for everyone.
  nonisolated(unsafe) let ephemeral: (any _EphemeralState.Type)?

  private static let known = TypeTable()

  private init(_ type: Any.Type) {
    self.ephemeral = type as? any _EphemeralState.Type
    if let identifiable = type as? any Identifiable.Type {
      self.identity = .id(Self.reader(identifiable))
    } else {
      self.identity = EnumCase.isEnum(type) ? .enumeration : .none
    }
  }

  private static func reader<Value: Identifiable>(_: Value.Type) -> any IDReader {
    TypedIDReader<Value>()
  }

  static func of<State>(_ type: State.Type) -> StateKind {
    let id = ObjectIdentifier(type)
    if let kind = self.known[id] {
      return kind._withUnsafeGuaranteedRef { unsafeDowncast($0, to: StateKind.self) }
    }
    let kind = StateKind(type)
    _ = self.known.insert(kind, for: id)
    return kind
  }
}

/// Reads the id of values of one type.
protocol IDReader: Sendable {
  func id<State>(of state: State) -> AnyHashable?
}

private struct TypedIDReader<Value: Identifiable>: IDReader {
  func id<State>(of state: State) -> AnyHashable? {
    // The reader was found by this very type.
    AnyHashable(unsafeBitCast(state, to: Value.self).id)
  }
}

private func open(_ value: some Identifiable) -> AnyHashable { AnyHashable(value.id) }

private func payloadID<Value>(of value: Value) -> AnyHashable? {
  guard let payload = Mirror(reflecting: value).children.first?.value as? any Identifiable
  else { return nil }
  return open(payload)
}

/// Which case an enum is in, found without reflection.
enum EnumCase {
  /// What is known of a case's value by its type.
  struct Traits {
    var isIdentifiable = false
    var ephemeral: (any _EphemeralState.Type)?
  }

  private struct Key: Hashable {
    var type: ObjectIdentifier
    var tag: UInt32
  }

  private struct Known: @unchecked Sendable {
    var traits: [Key: Traits] = [:]
  }

  /// The kind of an enum's metadata; optionals have another.
  private static let enumKind = 0x201
  /// The place of the function among the value witnesses, in words.
  private static let tagWitness = 11

  private typealias GetTag =
    @convention(c) (_ value: UnsafeRawPointer, _ type: UnsafeRawPointer) -> UInt32

  private static let known = Mutex(Known())

  static func isEnum(_ type: Any.Type) -> Bool {
    unsafeBitCast(type, to: UnsafeRawPointer.self).load(as: Int.self) == self.enumKind
  }

  /// The number of the case that a value is in; `nil` where its type is no enum.
  static func tag<Value>(of value: Value) -> UInt32? {
    let type = unsafeBitCast(Value.self as Any.Type, to: UnsafeRawPointer.self)
    guard type.load(as: Int.self) == self.enumKind else { return nil }
    let witnesses = (type - MemoryLayout<UnsafeRawPointer>.size).load(as: UnsafeRawPointer.self)
    let getTag = witnesses.load(
      fromByteOffset: self.tagWitness * MemoryLayout<UnsafeRawPointer>.size, as: GetTag.self)
    return withUnsafePointer(to: value) { getTag(UnsafeRawPointer($0), type) }
  }

  /// What is known of the value that comes with the case, by a reflection that is made once.
  static func traits<Value>(of value: Value, tag: UInt32) -> Traits {
    let key = Key(type: ObjectIdentifier(Value.self), tag: tag)
    if let traits = self.known.withLock({ $0.traits[key] }) { return traits }
    var traits = Traits()
    if let payload = Mirror(reflecting: value).children.first?.value {
      let type = Swift.type(of: payload)
      traits.isIdentifiable = type is any Identifiable.Type
      traits.ephemeral = type as? any _EphemeralState.Type
    }
    self.known.withLock { $0.traits[key] = traits }
    return traits
  }
}

/// The ephemeral type that a state is, or that the case it is in holds.
func ephemeralType<State>(of state: State) -> (any _EphemeralState.Type)? {
  let kind = StateKind.of(State.self)
  guard case .enumeration = kind.identity, let tag = EnumCase.tag(of: state) else {
    return kind.ephemeral
  }
  return EnumCase.traits(of: state, tag: tag).ephemeral
}

extension _EphemeralState {
  /// Whether an action, or the value that comes with it, is one that this state sends.
  static func canSend<A>(_ action: A) -> Bool {
    if A.self == self.actionType { return true }
    guard EnumCase.tag(of: action) != nil,
      let payload = Mirror(reflecting: action).children.first?.value
    else { return false }
    return Swift.type(of: payload) == self.actionType
  }
}
