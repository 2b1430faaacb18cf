import FoundationEssentials

// Values that stand for what is not known, of types that are not made of parts.

extension UUID {
  static var placeholder: UUID {
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  }
}

extension URL {
  static var placeholder: URL { URL(filePath: "/") }
}

/// `nil`, where it is a value of the type.
func nilValue<T>(of type: T.Type) -> T? {
  func value<N: ExpressibleByNilLiteral>(_ type: N.Type) -> T? { N(nilLiteral: ()) as? T }
  guard let type = type as? any ExpressibleByNilLiteral.Type else { return nil }
  return value(type)
}

/// The first case of an enum that lists its cases, or has raw values.
func firstCase<T>(of type: T.Type) -> T? {
  func first<C: CaseIterable>(_ type: C.Type) -> T? { C.allCases.first as? T }
  func raw<R: RawRepresentable>(_ type: R.Type) -> T? {
    guard let value = caseOfPlainEnum(T.self, 0), let raw = value as? R,
      R(rawValue: raw.rawValue) != nil
    else { return nil }
    return value
  }
  if let type = type as? any CaseIterable.Type { return first(type) }
  if let type = type as? any RawRepresentable.Type { return raw(type) }
  return nil
}

/// The case with a number of an enum whose cases have no values.
///
/// Such a type with 2 to 256 cases takes one byte, which is the number of the case in the order of
/// the source. Nothing else asks the type for its cases: an enum of coding keys has no list of them.
///
/// - Parameter number: 0 or 1, which every such type has.
func caseOfPlainEnum<T>(_ type: T.Type, _ number: UInt8) -> T? {
  guard MemoryLayout<T>.size == 1, number <= 1, _isPOD(type) else { return nil }
  let value = withUnsafeTemporaryAllocation(of: T.self, capacity: 1) { memory -> T in
    UnsafeMutableRawPointer(memory.baseAddress.unsafelyUnwrapped).storeBytes(
      of: number, as: UInt8.self)
    return memory[0]
  }
  let mirror = Mirror(reflecting: value)
  return mirror.displayStyle == .enum && mirror.children.isEmpty ? value : nil
}
