internal import ActionCoding
@_spi(Reflection) internal import Swift

/// Where in the memory of a state a stored property lies, so that a look at it costs little.
///
/// As long as a value of a type like these is kept, nobody can change it in place: what has the same
/// bits later has the same value. That does not hold for what refers to something that others change,
/// which is why shared values, and whatever is only `Codable`, have no such place.
struct StoredRegion<Root> {
  private let offset: Int
  private let type: Any.Type
  private let size: Int
  private var bits: [UInt8] = []
  /// Keeps what the bits refer to.
  private var kept: Any?

  /// The place of the longest path of stored properties that the names lead along; `nil` where there
  /// is none, or the bits of one do not tell its value.
  init?(of names: [String]) {
    var place: (offset: Int, type: Any.Type)?
    for name in names {
      guard let next = storedField(name, of: place?.type ?? Root.self) else { break }
      place = ((place?.offset ?? 0) + next.offset, next.type)
    }
    guard let place, tellsByBits(place.type) else { return nil }
    self.offset = place.offset
    self.type = place.type
    func size<T>(_ type: T.Type) -> Int { MemoryLayout<T>.size }
    self.size = _openExistential(place.type, do: size)
  }

  /// Whether the property may have another value than when this was asked the last time.
  mutating func mayHaveChanged(in root: Root) -> Bool {
    withUnsafeBytes(of: root) { memory in
      guard memory.count >= self.offset + self.size, let start = memory.baseAddress else {
        return true
      }
      let now = UnsafeRawBufferPointer(start: start + self.offset, count: self.size)
      if self.kept != nil, self.bits.elementsEqual(now) { return false }
      self.bits = Array(now)
      func load<T>(_ type: T.Type) -> Any { (start + self.offset).load(as: T.self) }
      self.kept = _openExistential(self.type, do: load)
      return true
    }
  }
}

/// The stored property of a name, as it is or behind a wrapper.
private func storedField(_ name: String, of type: Any.Type) -> (offset: Int, type: Any.Type)? {
  // Enums and objects have none here: cases lie upon each other, an object's properties elsewhere.
  var found: (offset: Int, type: Any.Type)?
  _ = _forEachField(of: type) { label, offset, type, _ in
    let label = String(cString: label)
    guard label == name || label == "_\(name)" else { return true }
    found = (offset, type)
    return false
  }
  return found
}

/// Whether equal bits of values that are kept mean equal values.
private func tellsByBits(_ type: Any.Type) -> Bool {
  guard let type = type as? any Recordable.Type else { return false }
  let schema = RecordSchema(of: type)
  guard !schema.hasShared else { return false }
  return schema.types.allSatisfy {
    switch $0 {
    case .primitive, .optional, .array, .set, .dictionary, .structure, .enumeration: true
    case .codable, .described, .opaque: false
    }
  }
}
