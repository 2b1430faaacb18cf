import FoundationEssentials

// What a number of one type is as a number of another: the same one, or none.

extension RecordValue {
  /// The same number as a value of a type that this library knows; nil where it does not fit, or
  /// where the value or the type is something else than a number.
  func converted(to primitive: RecordSchema.Primitive) -> RecordValue? {
    switch primitive {
    case .int8: self.integer(Int8.self).map { .int(Int64($0)) }
    case .int16: self.integer(Int16.self).map { .int(Int64($0)) }
    case .int32: self.integer(Int32.self).map { .int(Int64($0)) }
    case .int64, .int: self.integer(Int64.self).map { .int($0) }
    case .int128: self.integer(Int128.self).map { .int128($0) }
    case .uint8: self.integer(UInt8.self).map { .uint(UInt64($0)) }
    case .uint16: self.integer(UInt16.self).map { .uint(UInt64($0)) }
    case .uint32: self.integer(UInt32.self).map { .uint(UInt64($0)) }
    case .uint64, .uint: self.integer(UInt64.self).map { .uint($0) }
    case .uint128: self.integer(UInt128.self).map { .uint128($0) }
    case .float: self.float.map { .float($0) }
    case .double: self.double.map { .double($0) }
    default: nil
    }
  }

  private func integer<T: FixedWidthInteger>(_ type: T.Type) -> T? {
    switch self {
    case .int(let value): T(exactly: value)
    case .uint(let value): T(exactly: value)
    case .int128(let value): T(exactly: value)
    case .uint128(let value): T(exactly: value)
    case .double(let value): T(exactly: value)
    case .float(let value): T(exactly: value)
    default: nil
    }
  }

  private var double: Double? {
    switch self {
    case .double(let value): value
    case .float(let value): Double(value)
    default: self.integer(Int64.self).flatMap { Double(exactly: $0) }
    }
  }

  private var float: Float? {
    switch self {
    case .float(let value): value
    case .double(let value): value.isNaN ? Float(value) : Float(exactly: value)
    default: self.integer(Int64.self).flatMap { Float(exactly: $0) }
    }
  }
}

extension RecordSchema.Primitive {
  /// Whether values are numbers, which can be turned into others where they fit.
  var isNumber: Bool { self != .bool && self.rawValue <= Self.double.rawValue }

  /// Whether each number of the other type is one of this type too.
  func holds(all other: Self) -> Bool {
    switch (self, other) {
    case (.double, .float): true
    case (.double, _): other.integerBits.map { $0.bits <= 53 } ?? (other == .double)
    case (.float, _): other.integerBits.map { $0.bits <= 24 } ?? (other == .float)
    default:
      if let own = self.integerBits, let other = other.integerBits {
        own.isSigned == other.isSigned
          ? own.bits >= other.bits : own.isSigned && own.bits > other.bits
      } else {
        self == other
      }
    }
  }

  private var integerBits: (bits: Int, isSigned: Bool)? {
    switch self {
    case .int8: (8, true)
    case .int16: (16, true)
    case .int32: (32, true)
    case .int64, .int: (64, true)
    case .int128: (128, true)
    case .uint8: (8, false)
    case .uint16: (16, false)
    case .uint32: (32, false)
    case .uint64, .uint: (64, false)
    case .uint128: (128, false)
    default: nil
    }
  }
}
