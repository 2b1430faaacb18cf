internal import ActionCoding
internal import Foundation

/// A dependency whose values are not read from outside, or are recorded where they are used: a read
/// of the dependency itself is then not worth a record, and its live value does no harm in a replay.
package protocol UnreadKey: TestDependencyKey {}

/// A dependency that has a value of its own for replays, since those for tests are not meant for it.
protocol ReplayedKey: TestDependencyKey {
  static var replayedValue: Value { get }
}

/// A dependency that a log knows by another name than that of its key.
protocol NamedKey: TestDependencyKey {
  static var readName: String { get }
}

/// A dependency whose value is all there is to it, as a flag or a configuration: a reducer that
/// looks at it reads it from outside.
final class ValueRead<Value>: Sendable {
  enum Kind: Sendable {
    /// It is recorded, through the session.
    case recorded(@Sendable (_ reads: ReducerReads, _ live: () -> Value) -> Value)
    /// The values have no form in bytes, so that a replay needs values of its own.
    case opaque(name: String)
    /// Its values are recorded elsewhere, if at all.
    case unread
  }

  let kind: Kind

  private init(_ kind: Kind) {
    self.kind = kind
  }

  /// What is known of a key; found out once.
  static func of<Key: TestDependencyKey>(
    _ key: Key.Type
  ) -> ValueRead where Key.Value == Value {
    let id = ObjectIdentifier(key)
    while true {
      if let known = valueReads[id] {
        return unsafeDowncast(known.takeUnretainedValue(), to: ValueRead.self)
      }
      _ = valueReads.insert(ValueRead(self.kind(of: key)), for: id)
    }
  }

  private static func kind<Key: TestDependencyKey>(
    of key: Key.Type
  ) -> Kind where Key.Value == Value {
    if key is any UnreadKey.Type { return .unread }
    let name: String = (key as? any NamedKey.Type)?.readName ?? readName(of: key)
    // Foundation writes of a calendar that follows the machine's settings that it does so, and not
    // which one it is.
    if let read = FrozenCalendar.read(name) as? ValueRead { return read.kind }
    if let read = FrozenLocale.read(name) as? ValueRead { return read.kind }
    if let read = FrozenTimeZone.read(name) as? ValueRead { return read.kind }
    if let read = FrozenLocale.readAll(name) as? ValueRead { return read.kind }
    // Of an object it is the identity that counts.
    let isObject: Bool =
      Value.self is AnyClass || (Value.self as? any OptionalValue.Type)?.wrapsObject == true
    let coder = ValueCoder<Value>()
    guard coder.kind != .opaque, !isObject else { return .opaque(name: name) }
    let read = _ReadKey(name, coder: coder)
    return .recorded { reads, live in
      reads.value(of: read, arguments: nil, live: live, standIn: nil)
    }
  }

  /// A read of values that are written in another form.
  static func frozen<Form: Recordable>(
    _ name: String, as form: Form.Type, _ freeze: @escaping @Sendable (Value) -> Form,
    _ thaw: @escaping @Sendable (Form) -> Value
  ) -> ValueRead {
    let read = _ReadKey(name, coder: recordCoder(for: Form.self))
    return ValueRead(
      .recorded { reads, live in
        // The reducer is given what a replay will give it, also while it is recorded.
        thaw(
          reads.value(of: read, arguments: nil, live: { freeze(live()) }, standIn: nil))
      })
  }
}

private let valueReads = TypeTable()

private protocol OptionalValue {
  static var wrapsObject: Bool { get }
}

extension Optional: OptionalValue {
  fileprivate static var wrapsObject: Bool { Wrapped.self is AnyClass }
}
