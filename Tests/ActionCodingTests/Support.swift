import ActionCoding
import Testing

/// Encodes, decodes, and encodes again: the bytes must be the same.
@discardableResult
func roundTrip<T>(
  _ value: T, by coder: ValueCoder<T>, sourceLocation: SourceLocation = #_sourceLocation
) throws -> (value: T, bytes: [UInt8]) {
  let bytes = try coder.bytes(of: value)
  let back = try coder.value(of: bytes)
  #expect(try coder.bytes(of: back) == bytes, sourceLocation: sourceLocation)
  // The schema alone must be able to read the same bytes, to the last one.
  _ = try RecordValue(bytes, schema: coder.schema)
  return (back, bytes)
}

@discardableResult
func roundTrip<T: Recordable>(
  _ value: T, sourceLocation: SourceLocation = #_sourceLocation
) throws -> T {
  try roundTrip(value, by: recordCoder(for: T.self), sourceLocation: sourceLocation).value
}

@discardableResult
func bridged<T: Codable>(
  _ value: T, sourceLocation: SourceLocation = #_sourceLocation
) throws -> T {
  let bytes = try RecordWriter.bytes { (writer) throws(RecordOverflow) in
    try writer.putBridged(value)
  }
  return try bytes.withUnsafeBytes { buffer in
    var reader = RecordReader(buffer)
    let back = try reader.getBridged(T.self)
    try reader.finish()
    return back
  }
}

func json<T>(_ value: T, by coder: ValueCoder<T>, pretty: Bool = false) throws -> String {
  try RecordValue(coder.bytes(of: value), schema: coder.schema).json(pretty: pretty)
}

func json<T: Recordable>(_ value: T, pretty: Bool = false) throws -> String {
  try json(value, by: recordCoder(for: T.self), pretty: pretty)
}

func text<T: Recordable>(_ value: T, limit: Int = .max) throws -> String {
  let coder = recordCoder(for: T.self)
  return try RecordValue(coder.bytes(of: value), schema: coder.schema).text(limit: limit)
}

/// What reading `bytes` as `T` says that is wrong with them.
func failure<T: Recordable>(_ type: T.Type, _ bytes: [UInt8]) -> String? {
  do {
    _ = try recordCoder(for: type).value(of: bytes)
    return nil
  } catch {
    return error.description
  }
}

/// A generator of the same numbers in every run.
struct Seeded: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
