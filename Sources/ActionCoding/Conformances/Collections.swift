extension Array: Recordable where Element: Recordable {
  @inlinable
  public func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
    try writer.put(varint: UInt64(count))
    try writer.descend()
    let from = writer.count
    // Elements are written where they are: a copy of each would cost more than writing it.
    let elements = span
    for index in elements.indices {
      try elements[unchecked: index].encode(to: &writer)
    }
    try writer.pad(count, from: from)
    writer.ascend()
  }

  @inlinable
  public init(from reader: inout RecordReader) throws(RecordDecodingError) {
    let count = try reader.getCount()
    try reader.descend()
    let from = reader.offset
    self.init()
    reserveCapacity(reader.capacity(for: count, stride: MemoryLayout<Element>.stride))
    for _ in 0..<count {
      append(try Element(from: &reader))
    }
    try reader.skipPadding(count, from: from)
    reader.ascend()
  }

  public static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition { .array(schema.type(Element.self)) }
}

extension ContiguousArray: Recordable where Element: Recordable {
  @inlinable
  public func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
    try writer.put(varint: UInt64(count))
    try writer.descend()
    let from = writer.count
    let elements = span
    for index in elements.indices {
      try elements[unchecked: index].encode(to: &writer)
    }
    try writer.pad(count, from: from)
    writer.ascend()
  }

  @inlinable
  public init(from reader: inout RecordReader) throws(RecordDecodingError) {
    self.init(try [Element](from: &reader))
  }

  public static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition { .array(schema.type(Element.self)) }
}

extension ArraySlice: Recordable where Element: Recordable {
  @inlinable
  public func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
    try Array(self).encode(to: &writer)
  }

  @inlinable
  public init(from reader: inout RecordReader) throws(RecordDecodingError) {
    self.init(try [Element](from: &reader))
  }

  public static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition { .array(schema.type(Element.self)) }
}

extension Set: Recordable where Element: Recordable {
  @inlinable
  public func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
    try writer.put(varint: UInt64(count))
    try writer.descend()
    let from = writer.count
    var entries: [RecordEntry] = []
    entries.reserveCapacity(count)
    for element in self {
      let start = writer.count
      try element.encode(to: &writer)
      entries.append(RecordEntry(start: start, end: writer.count))
    }
    try writer.putInOrder(entries)
    try writer.pad(count, from: from)
    writer.ascend()
  }

  @inlinable
  public init(from reader: inout RecordReader) throws(RecordDecodingError) {
    let count = try reader.getCount()
    try reader.descend()
    let from = reader.offset
    self.init(minimumCapacity: reader.capacity(for: count, stride: MemoryLayout<Element>.stride))
    var last: RecordEntry?
    for _ in 0..<count {
      let start = reader.offset
      let element = try Element(from: &reader)
      let entry = RecordEntry(start: start, end: reader.offset)
      guard reader.isAscending(last, entry), insert(element).inserted else {
        throw reader.unordered()
      }
      last = entry
    }
    try reader.skipPadding(count, from: from)
    reader.ascend()
  }

  public static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition { .set(schema.type(Element.self)) }
}

extension Dictionary: Recordable where Key: Recordable, Value: Recordable {
  @inlinable
  public func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
    try writer.put(varint: UInt64(count))
    try writer.descend()
    let from = writer.count
    // The keys tell the order. The values are written in it, and not put into it afterwards: what is
    // numbered as it is met has the same number each time.
    var keys: [RecordEntry] = []
    keys.reserveCapacity(count)
    var values: [Value] = []
    values.reserveCapacity(count)
    for (key, value) in self {
      let start = writer.count
      try key.encode(to: &writer)
      keys.append(RecordEntry(start: start, end: writer.count))
      values.append(value)
    }
    try writer.putInOrder(keys) { (writer, index) throws(RecordOverflow) in
      try values[index].encode(to: &writer)
    }
    try writer.pad(count, from: from)
    writer.ascend()
  }

  @inlinable
  public init(from reader: inout RecordReader) throws(RecordDecodingError) {
    let count = try reader.getCount()
    try reader.descend()
    let from = reader.offset
    let stride = MemoryLayout<Key>.stride + MemoryLayout<Value>.stride
    self.init(minimumCapacity: reader.capacity(for: count, stride: stride))
    var last: RecordEntry?
    for _ in 0..<count {
      let start = reader.offset
      let key = try Key(from: &reader)
      let entry = RecordEntry(start: start, end: reader.offset)
      let value = try Value(from: &reader)
      guard reader.isAscending(last, entry), updateValue(value, forKey: key) == nil else {
        throw reader.unordered()
      }
      last = entry
    }
    try reader.skipPadding(count, from: from)
    reader.ascend()
  }

  public static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition {
    .dictionary(key: schema.type(Key.self), value: schema.type(Value.self))
  }
}
