import FoundationEssentials

/// The tags that begin each value in self-describing bytes.
///
/// They are part of the format.
enum BridgeTag: UInt8 {
  case null = 0
  case no = 1
  case yes = 2
  case int = 3
  case uint = 4
  case int128 = 5
  case uint128 = 6
  case float = 7
  case double = 8
  case string = 9
  case data = 10
  case date = 11
  case uuid = 12
  case url = 13
  case decimal = 14
  case array = 15
  case keyed = 16
  case opaque = 17
}

extension RecordWriter {
  /// Writes a value by its `Codable` code: the count of bytes, and these, which describe themselves.
  ///
  /// A value that refuses to be encoded is not an error: its place says so, and why.
  public mutating func putBridged<T: Encodable>(_ value: T) throws(RecordOverflow) {
    let tree: RecordValue
    switch Result(catching: { try BridgeEncoder.tree(of: value) }) {
    case .success(let value): tree = value
    case .failure(let error):
      // Too deep a value could not be read, whoever writes it.
      if let overflow = error as? RecordOverflow { throw overflow }
      tree = .opaque(name: recordedName(of: T.self), reason: BridgeEncoder.text(of: error))
    }
    try putBridged(tree: tree)
  }

  private mutating func putBridged(tree: RecordValue) throws(RecordOverflow) {
    // The count stands before the bytes, and is known after them.
    let bytes = try RecordWriter.bytes { (writer) throws(RecordOverflow) in
      try writer.put(tree: tree)
    }
    try bytes.span.withUnsafeBytes { (buffer) throws(RecordOverflow) in try put(counted: buffer) }
  }

  /// Writes, in place of an error that can be of any type, its type and what it says.
  mutating func putDescribed(_ error: any Error) throws(RecordOverflow) {
    try putBridged(tree: RecordedError(error).tree)
  }

  mutating func put(tree: RecordValue) throws(RecordOverflow) {
    switch tree {
    case .null: try put(tag: .null)
    case .bool(let value): try put(tag: value ? .yes : .no)
    case .int(let value): try put(tag: .int, value)
    case .uint(let value): try put(tag: .uint, value)
    case .int128(let value): try put(tag: .int128, value)
    case .uint128(let value): try put(tag: .uint128, value)
    case .float(let value): try put(tag: .float, value)
    case .double(let value): try put(tag: .double, value)
    case .string(let value): try put(tag: .string, value)
    case .data(let value): try put(tag: .data, value)
    case .date(let value): try put(tag: .date, value)
    case .uuid(let value): try put(tag: .uuid, value)
    case .url(let value): try put(tag: .url, value)
    case .decimal(let value): try put(tag: .decimal, value)
    case .array(let elements):
      try put(tag: .array)
      try put(varint: UInt64(elements.count))
      try descend()
      for element in elements { try put(tree: element) }
      ascend()
    case .structure(_, let fields):
      try put(tag: .keyed)
      try put(varint: UInt64(fields.count))
      try descend()
      for field in fields {
        try put(string: field.name)
        try put(tree: field.value)
      }
      ascend()
    case .opaque(let name, let reason):
      try put(tag: .opaque)
      try put(string: name)
      try put(string: reason)
    // The encoder makes none of these.
    case .some(let value): try put(tree: value)
    case .duration(let value): try put(tag: .int128, value.attoseconds)
    case .set(let elements): try put(tree: .array(elements))
    case .dictionary(let entries):
      try put(tree: .array(entries.flatMap { [$0.key, $0.value] }))
    case .enumeration(_, let name, let fields):
      try put(
        tree: .structure(
          name: "", fields: [.init(name, .structure(name: "", fields: fields))]))
    }
  }

  private mutating func put(tag: BridgeTag) throws(RecordOverflow) {
    try put(byte: tag.rawValue)
  }

  private mutating func put(tag: BridgeTag, _ value: some Recordable) throws(RecordOverflow) {
    try put(byte: tag.rawValue)
    try value.encode(to: &self)
  }
}

extension RecordReader {
  /// Reads a value by its `Codable` code.
  public mutating func getBridged<T: Decodable>(
    _ type: T.Type
  ) throws(RecordDecodingError) -> T {
    let tree = try getBridgedValue()
    if case .opaque(let name, let reason) = tree {
      guard reason == RecordSchema.redactedReason else {
        throw error("A value of '\(name)' is not in the record: \(reason)")
      }
      guard let placeholder = BridgePlaceholders.value(of: type) else { throw redacted(type) }
      return placeholder
    }
    do {
      return try BridgeDecoder.value(of: type, from: tree)
    } catch {
      throw self.error(BridgeDecoder.text(of: error, decoding: type))
    }
  }

  /// Reads what ``RecordWriter/putDescribed(_:)`` wrote.
  mutating func getDescribed() throws(RecordDecodingError) -> RecordedError {
    guard let error = RecordedError(tree: try getBridgedValue()) else {
      throw self.error("An error is recorded as something else.")
    }
    return error
  }

  /// Reads what ``RecordWriter/putBridged(_:)`` wrote, without the type.
  mutating func getBridgedValue() throws(RecordDecodingError) -> RecordValue {
    let count = try getCount()
    let end = offset + count
    let tree = try getTree()
    guard offset == end else {
      throw error("A value of \(count) bytes has another length than was written before it.")
    }
    return tree
  }

  private mutating func getTree() throws(RecordDecodingError) -> RecordValue {
    let byte = try getByte()
    guard let tag = BridgeTag(rawValue: byte) else {
      throw error("The byte \(byte) begins no kind of value.")
    }
    switch tag {
    case .null: return .null
    case .no: return .bool(false)
    case .yes: return .bool(true)
    case .int: return .int(try Int64(from: &self))
    case .uint: return .uint(try UInt64(from: &self))
    case .int128: return .int128(try Int128(from: &self))
    case .uint128: return .uint128(try UInt128(from: &self))
    case .float: return .float(try Float(from: &self))
    case .double: return .double(try Double(from: &self))
    case .string: return .string(try getString())
    case .data: return .data(try Data(from: &self))
    case .date: return .date(try Date(from: &self))
    case .uuid: return .uuid(try UUID(from: &self))
    case .url: return .url(try URL(from: &self))
    case .decimal: return .decimal(try Decimal(from: &self))
    case .opaque: return .opaque(name: try getString(), reason: try getString())
    case .array:
      let count = try getCount()
      try descend()
      var elements: [RecordValue] = []
      elements.reserveCapacity(
        capacity(for: count, stride: MemoryLayout<RecordValue>.stride))
      for _ in 0..<count { elements.append(try getTree()) }
      ascend()
      return .array(elements)
    case .keyed:
      let count = try getCount()
      try descend()
      var fields: [RecordValue.Field] = []
      fields.reserveCapacity(
        capacity(for: count, stride: MemoryLayout<RecordValue.Field>.stride))
      for _ in 0..<count {
        let name = try getString()
        fields.append(.init(name, try getTree()))
      }
      ascend()
      return .structure(name: "", fields: fields)
    }
  }
}
