import FoundationEssentials

/// Bytes that grow as values are written, for what is written seldom or once: a ``RecordWriter``
/// neither grows nor copies.
struct RecordOutput {
  private(set) var bytes: [UInt8] = []

  var count: Int { self.bytes.count }

  mutating func put(byte: UInt8) { self.bytes.append(byte) }

  mutating func put(varint value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      self.bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    self.bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  mutating func put(signed value: Int64) {
    self.put(varint: UInt64(bitPattern: (value << 1) ^ (value >> 63)))
  }

  mutating func put(raw bytes: some Collection<UInt8>) { self.bytes.append(contentsOf: bytes) }

  /// Writes by the value's own code.
  mutating func put(_ value: some Recordable) throws(RecordDecodingError) {
    do throws(RecordOverflow) {
      self.put(raw: try RecordWriter.bytes(of: value))
    } catch {
      throw RecordDecodingError("\(error)", offset: 0)
    }
  }

  /// Writes bytes that describe themselves, behind their count.
  mutating func put(tree: RecordValue) throws(RecordDecodingError) {
    do throws(RecordOverflow) {
      let bytes = try RecordWriter.bytes { (writer) throws(RecordOverflow) in
        try writer.put(tree: tree)
      }
      self.put(varint: UInt64(bytes.count))
      self.put(raw: bytes)
    } catch {
      throw RecordDecodingError("\(error)", offset: 0)
    }
  }

  /// Takes away what was written after `count` bytes.
  mutating func cut(to count: Int) { self.bytes.removeLast(self.bytes.count - count) }

  /// Writes a collection: the count, what `elements` are, and padding.
  mutating func put(elements: [[UInt8]]) {
    self.put(varint: UInt64(elements.count))
    let start = self.count
    for element in elements { self.put(raw: element) }
    let missing = elements.count - (self.count - start)
    if missing > 0 { self.put(raw: repeatElement(0, count: missing)) }
  }
}

extension RecordOutput {
  /// Writes a value of a type that this library knows, or says that it is none of that type.
  mutating func put(
    _ value: RecordValue, as primitive: RecordSchema.Primitive
  ) throws(RecordDecodingError) -> Bool {
    let value = primitive.isNumber ? value.converted(to: primitive) : value
    switch (primitive, value) {
    case (.int8, .int(let value)):
      self.put(byte: UInt8(bitPattern: Int8(truncatingIfNeeded: value)))
    case (.uint8, .uint(let value)): self.put(byte: UInt8(truncatingIfNeeded: value))
    case (.int16, .int(let value)), (.int32, .int(let value)), (.int64, .int(let value)),
      (.int, .int(let value)):
      self.put(signed: value)
    case (.uint16, .uint(let value)), (.uint32, .uint(let value)), (.uint64, .uint(let value)),
      (.uint, .uint(let value)):
      self.put(varint: value)
    case (.int128, .int128(let value)): try self.put(value)
    case (.uint128, .uint128(let value)): try self.put(value)
    case (.float, .float(let value)): try self.put(value)
    case (.double, .double(let value)): try self.put(value)
    case (.bool, .bool(let value)): self.put(byte: value ? 1 : 0)
    case (.string, .string(let value)): try self.put(value)
    case (.data, .data(let value)): try self.put(value)
    case (.date, .date(let value)): try self.put(value)
    case (.uuid, .uuid(let value)): try self.put(value)
    case (.url, .url(let value)): try self.put(value)
    case (.decimal, .decimal(let value)): try self.put(value)
    case (.duration, .duration(let value)): try self.put(value)
    default: return false
    }
    return true
  }
}
