internal import ActionCoding
internal import Foundation

/// - Parameter input: A schema's bytes.
func fuzzSchema(_ input: [UInt8]) throws(FuzzTarget.Finding) {
  guard let schema = input.withUnsafeBytes({ try? RecordSchema(bytes: $0) }) else { return }
  guard let bytes = try? schema.bytes() else {
    throw FuzzTarget.Finding(description: "a schema that was read cannot be written")
  }
  let again = bytes.withUnsafeBytes { try? RecordSchema(bytes: $0) }
  if again != schema {
    throw FuzzTarget.Finding(description: "a schema that is written and read is another one")
  }
  if let difference = schema.firstDifference(from: schema) {
    throw FuzzTarget.Finding(description: "a schema differs from itself: \(difference)")
  }
  _ = schema.opaqueValues
  show([UInt8](repeating: 0, count: 64), schema)
  show([UInt8](repeating: 1, count: 64), schema)
}

/// - Parameter input: Which schema, then a value's bytes; with 0 two bytes say how long the schema
///   is that stands before the value.
func fuzzValue(_ input: [UInt8]) throws(FuzzTarget.Finding) {
  guard let which = input.first else { return }
  let rest = Array(input.dropFirst())
  switch which & 3 {
  case 0:
    guard rest.count >= 2 else { return }
    let end = 2 + Int(rest.number(0, 2))
    guard end <= rest.count,
      let schema = rest[2..<end].withUnsafeBytes({ try? RecordSchema(bytes: $0) })
    else { return }
    show(Array(rest[end...]), schema)
  case 1: try decode(rest, recordCoder(for: FuzzSample.self))
  case 2: try decode(rest, recordCoder(for: FuzzTree.self))
  default: try decode(rest, recordCoder(for: FuzzBridged.self))
  }
}

private func show(_ bytes: [UInt8], _ schema: RecordSchema) {
  guard let value = try? RecordValue(bytes, schema: schema) else { return }
  _ = value.json()
  _ = value.text(limit: 1000)
}

private func decode<T>(_ bytes: [UInt8], _ coder: ValueCoder<T>) throws(FuzzTarget.Finding) {
  let schema = coder.schema
  show(bytes, schema)
  guard let value = try? coder.value(of: bytes) else { return }
  if (try? RecordValue(bytes, schema: schema)) == nil {
    throw FuzzTarget.Finding(description: "\(T.self) is read with its type, and not without it")
  }
  guard let written = try? coder.bytes(of: value) else {
    throw FuzzTarget.Finding(description: "a \(T.self) that was read cannot be written")
  }
  // A set may be read in any order, and is written in one.
  guard let again = try? coder.value(of: written), (try? coder.bytes(of: again)) == written else {
    throw FuzzTarget.Finding(description: "a \(T.self) that is written and read is another one")
  }
}

/// One of everything that a feature's action may hold.
@Recordable
enum FuzzSample: Equatable, Sendable {
  case nothing
  case number(Int, UInt8, Int64)
  case text(String, Character)
  case list([Int32], names: [String: Bool], tags: Set<String>)
  case maybe(Int?, String?, [Double]?)
  case dates(Date, UUID, URL?)
  indirect case nested(FuzzSample, [FuzzSample])
}

@Recordable
struct FuzzTree: Equatable, Sendable {
  var name = ""
  var weight = 0.0
  var children: [FuzzTree] = []
}

/// A type that is only Codable.
struct FuzzBridged: Codable, Equatable, Sendable {
  struct Part: Codable, Equatable, Sendable {
    var id: Int
    var label: String?
  }
  var parts: [Part]
  var table: [String: [Int]]
  var flag: Bool?
}
