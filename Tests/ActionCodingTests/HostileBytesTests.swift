import ActionCoding
import Foundation
import Testing

/// Bytes that no writer wrote.
///
/// Whatever they are, reading ends in a value or an error.
struct HostileBytesTests {
  private func check<T>(_ bytes: [UInt8], _ coder: ValueCoder<T>, _ schema: RecordSchema) {
    let typed = try? coder.value(of: bytes)
    let untyped = try? RecordValue(bytes, schema: schema)
    if let typed {
      // What can be read with the type can be read without it, and is written as it was read.
      #expect(untyped != nil, "\(bytes)")
      #expect((try? coder.bytes(of: typed)) == bytes, "\(bytes)")
    }
    if let untyped {
      _ = untyped.json()
      _ = untyped.text(limit: 100)
    }
  }

  @Test(arguments: 0..<4)
  func changedBytesNeverTrap(seed: Int) throws {
    var generator = Seeded(UInt64(seed))
    let coder = recordCoder(for: Sample.self)
    let schema = coder.schema
    let bytes = try coder.bytes(of: .example)
    for _ in 0..<300 {
      var changed = bytes
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let place = Int.random(in: 0..<changed.count, using: &generator)
        changed[place] = .random(in: 0...255, using: &generator)
      }
      check(changed, coder, schema)
    }
  }

  @Test func cutBytesNeverTrap() throws {
    let coder = recordCoder(for: Sample.self)
    let bytes = try coder.bytes(of: .example)
    for count in 0..<bytes.count {
      #expect(throws: RecordDecodingError.self) { try coder.value(of: Array(bytes[..<count])) }
      #expect(throws: RecordDecodingError.self) {
        try RecordValue(Array(bytes[..<count]), schema: coder.schema)
      }
    }
  }

  @Test(arguments: 0..<4)
  func randomBytesNeverTrap(seed: Int) {
    var generator = Seeded(UInt64(seed) + 100)
    let sample = recordCoder(for: Sample.self)
    let tree = recordCoder(for: Tree.self)
    let shown = recordCoder(for: Shown.self)
    let bridge = recordCoder(for: BridgeTests.Everything.self)
    let schemas = (sample.schema, tree.schema, shown.schema, bridge.schema)
    for _ in 0..<300 {
      let count = Int.random(in: 0...60, using: &generator)
      // Small bytes are more often a count or a case.
      let limit: UInt8 = Bool.random(using: &generator) ? 255 : 4
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...limit, using: &generator) }
      _ = try? sample.value(of: bytes)
      check(bytes, tree, schemas.1)
      _ = try? shown.value(of: bytes)
      let framed = [UInt8(count)] + bytes
      _ = try? bridge.value(of: framed)
      for schema in [schemas.0, schemas.2] { _ = (try? RecordValue(bytes, schema: schema))?.json() }
      _ = (try? RecordValue(framed, schema: schemas.3))?.json()
    }
  }

  @Test(arguments: 0..<4)
  func changedBridgeBytesNeverTrap(seed: Int) throws {
    var generator = Seeded(UInt64(seed) + 200)
    let coder = recordCoder(for: BridgeTests.Everything.self)
    let bytes = try coder.bytes(of: .init())
    for _ in 0..<150 {
      var changed = bytes
      let place = Int.random(in: 0..<changed.count, using: &generator)
      changed[place] = .random(in: 0...255, using: &generator)
      _ = try? coder.value(of: changed)
      _ = (try? RecordValue(changed, schema: coder.schema))?.json()
    }
  }

  @Test(arguments: 0..<4)
  func changedSchemasNeverTrap(seed: Int) throws {
    var generator = Seeded(UInt64(seed) + 300)
    let schema = RecordSchema(of: Sample.self)
    let bytes = try schema.bytes()
    let sample = try RecordWriter.bytes(of: Sample.example)
    for _ in 0..<150 {
      var changed = bytes
      let place = Int.random(in: 0..<changed.count, using: &generator)
      changed[place] = .random(in: 0...255, using: &generator)
      guard let other = try? changed.withUnsafeBytes({ try RecordSchema(bytes: $0) }) else {
        continue
      }
      _ = (try? RecordValue(sample, schema: other))?.text(limit: 200)
      _ = schema.firstDifference(from: other)
      _ = other.firstDifference(from: schema)
      _ = other.opaqueValues
    }
  }

  @Test func hugeCountsTakeNoMemory() {
    let huge: [UInt8] = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]
    let text = "A count of 9223372036854775807 is more than the 0 bytes that follow. (byte 9)"
    #expect(failure([Int].self, huge) == text)
    #expect(failure(String.self, huge) == text)
    #expect(failure(Data.self, huge) == text)
    #expect(failure(Set<Int>.self, huge) == text)
    #expect(failure([Int: Int].self, huge) == text)
    // As many elements as there are bytes, each of which is large in memory.
    let count = 1 << 20
    let bytes: [UInt8] = [0x80, 0x80, 0x40] + [UInt8](repeating: 9, count: count)
    #expect(failure([Bool].self, bytes) == "[0]: The number 9 does not fit into 'Bool'. (byte 4)")
  }
}
