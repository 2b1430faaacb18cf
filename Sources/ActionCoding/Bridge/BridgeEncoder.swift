import FoundationEssentials

/// Turns a `Codable` value into a tree, which then describes itself in bytes.
///
/// Keys come in the order of their UTF-8, sets and dictionaries in the order of their bytes, so that
/// equal values give equal trees.
struct BridgeEncoder: Encoder {
  let box: BridgeBox
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  static func tree<T: Encodable>(of value: T) throws -> RecordValue {
    try tree(of: value, at: [])
  }

  static func tree<T: Encodable>(
    of value: T, at path: [any CodingKey]
  ) throws -> RecordValue {
    if let known = known(value) { return known }
    guard path.count < RecordWriter.depthLimit else { throw RecordOverflow.depth }
    let box = BridgeBox()
    try value.encode(to: BridgeEncoder(box: box, codingPath: path))
    let tree = box.tree
    if let unordered = value as? any BridgeUnordered {
      return try unordered.ordered(tree)
    }
    return tree
  }

  /// The types with a form of their own, without loss and shorter than what they encode.
  private static func known<T>(_ value: T) -> RecordValue? {
    if T.self == Date.self { return (value as? Date).map { .date($0) } }
    if T.self == UUID.self { return (value as? UUID).map { .uuid($0) } }
    if T.self == Data.self { return (value as? Data).map { .data($0) } }
    if T.self == URL.self { return (value as? URL).map { .url($0) } }
    if T.self == Decimal.self { return (value as? Decimal).map { .decimal($0) } }
    return nil
  }

  /// What an encoding error says, in one line.
  static func text(of error: any Error) -> String {
    if case EncodingError.invalidValue(_, let context) = error {
      let path = BridgeDecoder.text(of: context.codingPath)
      return path.isEmpty
        ? context.debugDescription : "\(path): \(context.debugDescription)"
    }
    return String(describing: error)
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    box.become(.keyed([], [:]))
    return KeyedEncodingContainer(BridgeKeyedEncoding<Key>(box: box, codingPath: codingPath))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    box.become(.unkeyed([]))
    return BridgeUnkeyedEncoding(box: box, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    BridgeSingleEncoding(box: box, codingPath: codingPath)
  }
}

/// What has been encoded at one place so far.
///
/// Containers may be filled in any order, so a place is an object.
final class BridgeBox {
  enum Content {
    /// Nothing has been encoded: an empty object, as for an empty struct.
    case nothing
    case value(RecordValue)
    case unkeyed([BridgeBox])
    /// The keys and what is under them, and where each key is.
    case keyed([(key: String, box: BridgeBox)], [String: Int])
  }

  var content: Content

  init(_ value: RecordValue? = nil) {
    content = value.map { .value($0) } ?? .nothing
  }

  /// Asking twice for a container of the same kind gives the same one.
  func become(_ new: Content) {
    switch (content, new) {
    case (.keyed, .keyed), (.unkeyed, .unkeyed): break
    default: content = new
    }
  }

  func set(_ box: BridgeBox, forKey key: String) {
    guard case .keyed(var entries, var places) = content else { return }
    // No copy may share the storage while it changes.
    content = .nothing
    if let place = places[key] {
      entries[place].box = box
    } else {
      places[key] = entries.count
      entries.append((key, box))
    }
    content = .keyed(entries, places)
  }

  func append(_ box: BridgeBox) {
    guard case .unkeyed(var elements) = content else { return }
    content = .nothing
    elements.append(box)
    content = .unkeyed(elements)
  }

  var count: Int {
    switch content {
    case .unkeyed(let elements): elements.count
    case .keyed(let entries, _): entries.count
    case .value: 1
    case .nothing: 0
    }
  }

  var tree: RecordValue {
    switch content {
    case .nothing: return .structure(name: "", fields: [])
    case .value(let value): return value
    case .unkeyed(let elements): return .array(elements.map(\.tree))
    case .keyed(let entries, _):
      let sorted = entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      return .structure(name: "", fields: sorted.map { .init($0.key, $0.box.tree) })
    }
  }
}

/// A collection that encodes its elements in the order that they happen to have in memory.
private protocol BridgeUnordered {
  /// The tree that it encoded, in the order of bytes.
  func ordered(_ tree: RecordValue) throws -> RecordValue
}

extension Set: BridgeUnordered {
  func ordered(_ tree: RecordValue) throws -> RecordValue {
    try reorder(tree, by: 1)
  }
}

extension Dictionary: BridgeUnordered {
  // With keys that are neither strings nor integers, keys and values come in turn.
  func ordered(_ tree: RecordValue) throws -> RecordValue {
    try reorder(tree, by: 2)
  }
}

private func reorder(_ tree: RecordValue, by step: Int) throws -> RecordValue {
  guard case .array(let elements) = tree, elements.count.isMultiple(of: step) else { return tree }
  let groups = try stride(from: 0, to: elements.count, by: step).map { start in
    let bytes = try RecordWriter.bytes { (writer) throws(RecordOverflow) in
      try writer.put(tree: elements[start])
    }
    return (bytes: bytes, elements: elements[start..<(start + step)])
  }
  let sorted = groups.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
  return .array(sorted.flatMap(\.elements))
}
