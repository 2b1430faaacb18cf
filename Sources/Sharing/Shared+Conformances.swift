public import CustomDump

// There is no `Hashable`, since the value changes while it is in a set; and no `Codable`, since the
// value's place is elsewhere. A type with shared properties writes its own.

extension Shared: Equatable where Value: Equatable {
  /// Whether the values are equal.
  ///
  /// While changes are asserted, one and the same reference is equal to itself when what is
  /// expected (on the left) is what is there (on the right).
  public static func == (lhs: Shared, rhs: Shared) -> Bool {
    if SharedTrackers.isAnyAlive, SharedTrackers.asserting != nil, lhs.isIdentical(to: rhs) {
      return lhs.wrappedValue == SharedTrackers.seeingActual { rhs.wrappedValue }
    }
    return lhs.wrappedValue == rhs.wrappedValue
  }
}

extension Shared {
  private func isIdentical(to other: Shared) -> Bool {
    if box === other.box { return true }
    func open<R: MutableReference<Value>>(_ reference: R) -> Bool {
      (other.reference as? R).map { $0 == reference } ?? false
    }
    return open(reference)
  }
}

extension Shared: Identifiable where Value: Identifiable {
  public var id: Value.ID { wrappedValue.id }
}

extension Shared: CustomStringConvertible {
  public var description: String {
    "Shared<\(Value.self)>(\(reference.description))"
  }
}

extension Shared: CustomReflectable {
  public var customMirror: Mirror { Mirror(reflecting: wrappedValue) }
}

extension Shared: CustomDumpRepresentable {
  public var customDumpValue: Any { wrappedValue }
}

extension Shared: _CustomDiffObject {
  public var _customDiffValues: (Any, Any) {
    (wrappedValue, SharedTrackers.seeingActual { wrappedValue })
  }

  public var _objectIdentifier: ObjectIdentifier { reference.id }
}

// MARK: - Readers

extension SharedReader: Equatable where Value: Equatable {
  /// Whether the values are equal.
  public static func == (lhs: SharedReader, rhs: SharedReader) -> Bool {
    lhs.wrappedValue == rhs.wrappedValue
  }
}

extension SharedReader: Identifiable where Value: Identifiable {
  public var id: Value.ID { wrappedValue.id }
}

extension SharedReader: CustomStringConvertible {
  public var description: String {
    "SharedReader<\(Value.self)>(\(reference.description))"
  }
}

extension SharedReader: CustomReflectable {
  public var customMirror: Mirror { Mirror(reflecting: wrappedValue) }
}

extension SharedReader: CustomDumpRepresentable {
  public var customDumpValue: Any { wrappedValue }
}

extension SharedReader: _CustomDiffObject {
  public var _customDiffValues: (Any, Any) {
    let value: Value = wrappedValue
    return (value, value)
  }

  public var _objectIdentifier: ObjectIdentifier { reference.id }
}
