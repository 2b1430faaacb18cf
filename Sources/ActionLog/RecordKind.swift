/// What a record says, as one byte on disk.
///
/// Kinds that this version does not know are kept and handed out like any other.
public struct RecordKind: RawRepresentable, Hashable, Sendable {
  public var rawValue: UInt8

  @inlinable public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// A stream begins: what could make a replay of it differ.
  @inlinable public static var open: Self { Self(rawValue: 1) }
  /// How the payloads of a stream are to be read.
  @inlinable public static var schema: Self { Self(rawValue: 2) }
  /// A whole encoded state at an action number.
  @inlinable public static var state: Self { Self(rawValue: 3) }
  /// An action, written before its reducer runs.
  @inlinable public static var action: Self { Self(rawValue: 4) }
  /// A value that a reducer took from outside while it ran.
  @inlinable public static var read: Self { Self(rawValue: 5) }
  /// A change of a shared value.
  @inlinable public static var shared: Self { Self(rawValue: 6) }
  /// The start, end or cancellation of an effect.
  @inlinable public static var effect: Self { Self(rawValue: 7) }
  /// A digest of the state at an action number.
  @inlinable public static var digest: Self { Self(rawValue: 8) }
  /// Anything a program wants to remember beside its actions.
  @inlinable public static var note: Self { Self(rawValue: 9) }
  /// Everything before it is durable; in a tail only, where it takes no sequence number.
  @inlinable public static var sync: Self { Self(rawValue: 10) }
  /// A stream ended in order.
  @inlinable public static var close: Self { Self(rawValue: 11) }
  /// A run that ended without closing was recovered; written by the log itself.
  @inlinable public static var recovery: Self { Self(rawValue: 12) }
  /// Records are missing, since the log could not be written; written by the log itself.
  @inlinable public static var gap: Self { Self(rawValue: 13) }
  /// What later records of the stream refer to by a number.
  @inlinable public static var definition: Self { Self(rawValue: 14) }
}

extension RecordKind: CustomStringConvertible {
  public var description: String {
    let names: [String] = [
      "skip", "open", "schema", "state", "action", "read", "shared", "effect", "digest", "note",
      "sync", "close", "recovery", "gap", "definition",
    ]
    return Int(rawValue) < names.count ? names[Int(rawValue)] : "kind \(rawValue)"
  }
}

/// A set of kinds, as 32 bits: the last one stands for every kind from 31 on.
public struct RecordKindSet: Hashable, Sendable {
  public var rawValue: UInt32

  @inlinable public init(rawValue: UInt32 = 0) {
    self.rawValue = rawValue
  }

  @inlinable public func contains(_ kind: RecordKind) -> Bool {
    rawValue & Self.bit(kind) != 0
  }

  @inlinable public mutating func insert(_ kind: RecordKind) {
    rawValue |= Self.bit(kind)
  }

  @inlinable static func bit(_ kind: RecordKind) -> UInt32 {
    1 << UInt32(min(kind.rawValue, 31))
  }
}
