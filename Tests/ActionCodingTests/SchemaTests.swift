import ActionCoding
import Foundation
import Testing

private enum Versions {
  enum A {
    @Recordable
    struct State {
      var count: Int
      var name: String
      var items: [Item]
      enum Kind { case a, b(Int) }
      struct Item { var kind: Kind }
    }
  }
  enum B {
    @Recordable
    struct State {
      var count: Int
      var name: String
      var items: [Item]
      enum Kind { case a, b(Int) }
      struct Item { var kind: Kind }
    }
  }
}

@Recordable
struct Small {
  var count: Int
  var children: [Small]
}

@Recordable
struct Renamed {
  var count: Int
  var kids: [Renamed]
}

@Recordable
struct Retyped {
  var count: String
  var children: [Retyped]
}

@Recordable
struct Grown {
  var count: Int
  var children: [Grown]
  var added: Bool
}

@Recordable
struct Swapped {
  var children: [Swapped]
  var count: Int
}

/// A type that contains itself with ever new type arguments.
struct Endless<T>: Recordable {
  func encode(to writer: inout RecordWriter) throws(RecordOverflow) {}
  init(from reader: inout RecordReader) throws(RecordDecodingError) {
    throw reader.error("never read")
  }
  static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition {
    .structure(name: "Endless", fields: [.init("next", schema.type(Endless<[T]>.self))])
  }
}

struct SchemaTests {
  @Test func theBytesOfASchemaGiveItBack() throws {
    let schemas = [
      RecordSchema(of: Feature.Action.self), RecordSchema(of: Feature.State.self),
      RecordSchema(of: Sample.self), RecordSchema(of: Small.self), RecordSchema(of: Int.self),
      recordCoder(for: OnlyCodable.self).schema, recordCoder(for: Neither.self).schema,
    ]
    for schema in schemas {
      let bytes = try schema.bytes()
      let back = try bytes.withUnsafeBytes { try RecordSchema(bytes: $0) }
      #expect(back == schema)
      #expect(try back.bytes() == bytes)
    }
  }

  @Test func aRecursiveTypeIsInTheTableOnce() {
    #expect(
      RecordSchema(of: Small.self).types == [
        .structure(name: "Small", fields: [.init("count", 1), .init("children", 2)]),
        .primitive(.int), .array(0),
      ])
  }

  @Test func aTypeWithoutAnEndIsCutOff() throws {
    let schema = RecordSchema(of: Endless<Int>.self)
    #expect(schema.types.count < 10_000)
    #expect(
      schema.types.contains {
        guard case .opaque(_, let reason) = $0 else { return false }
        return reason == "Its type is nested without an end."
      })
  }

  @Test func everyPrimitiveHasANumberForEver() {
    let numbers = RecordSchema.Primitive.allCases.map { "\($0.rawValue) \($0)" }
    #expect(
      numbers == [
        "0 bool", "1 int8", "2 int16", "3 int32", "4 int64", "5 int", "6 int128", "7 uint8",
        "8 uint16", "9 uint32", "10 uint64", "11 uint", "12 uint128", "13 float", "14 double",
        "15 string", "16 data", "17 date", "18 uuid", "19 url", "20 decimal", "21 duration",
      ])
  }

  @Test func differencesNameTheirPlace() {
    func difference<Now: Recordable, Then: Recordable>(
      _ now: Now.Type, from then: Then.Type
    ) -> String? {
      RecordSchema(of: now).firstDifference(from: RecordSchema(of: then))
    }
    #expect(difference(Small.self, from: Small.self) == nil)
    // The names of types do not matter.
    #expect(difference(Versions.A.State.self, from: Versions.B.State.self) == nil)
    #expect(
      difference(Renamed.self, from: Small.self)
        == "The value ('Renamed') has the field 'kids', which the recording lacks.")
    #expect(
      difference(Small.self, from: Grown.self)
        == "The value ('Small') lacks the field 'added' of the recording.")
    #expect(
      difference(Swapped.self, from: Small.self)
        == "The value ('Swapped') has its fields in another order than in the recording.")
    #expect(
      difference(Retyped.self, from: Small.self)
        == "'count' is of type 'String', and was 'Int' in the recording.")
    #expect(
      difference([Small].self, from: [Int: Small].self)
        == "The value is of type '[Small]', and was '[Int: Small]' in the recording.")
    #expect(
      difference(Tree.self, from: CounterAction.self)
        == "The value ('Tree') has the case 'leaf', which the recording lacks.")
  }

  @Test func aChangedTypeIsRefusedByName() throws {
    let coder = recordCoder(for: Retyped.self)
    #expect {
      try coder.reading(RecordSchema(of: Small.self))
    } throws: {
      ($0 as? RecordDecodingError)?.message == """
        No value of 'Retyped' can be read as it was recorded. count: It is of type 'String', and \
        was 'Int' in the recording. Register a migration: rewriting.
        """
    }
    _ = try coder.reading(coder.schema)
  }

  @Test func damagedSchemasAreRefused() throws {
    func failure(_ bytes: [UInt8]) -> String? {
      do {
        _ = try bytes.withUnsafeBytes { try RecordSchema(bytes: $0) }
        return nil
      } catch {
        return "\(error)"
      }
    }
    #expect(failure([]) == "The record ends in the middle of a value. (byte 0)")
    #expect(
      failure([2, 1, 0, 0]) == """
        The schema is of version 2, and this program reads version 1 only. Use a newer one. (byte 1)
        """)
    #expect(failure([1, 0]) == "The schema has 0 types. (byte 2)")
    #expect(
      failure([1, 1, 1, 1])
        == "A schema of 1 types refers to the type number 1. (byte 4)")
    #expect(
      failure([1, 1, 99]) == "The byte 99 begins no kind of type in a schema. (byte 3)")
    #expect(
      failure([1, 1, 0, 99])
        == "A schema names the type number 99, which this program lacks. (byte 4)")
    #expect(failure([1, 1, 0, 0, 0]) == "The value ends here, but 1 more bytes follow. (byte 4)")
  }

  @Test func aSchemaThatExplodesIsStopped() throws {
    // Each structure has two fields of the next, and none takes a byte: 2 to the 200th values.
    var writer: [UInt8] = [1, 200, 1]
    for index in 0..<199 {
      let next = index + 1
      let number: [UInt8] =
        next < 128 ? [UInt8(next)] : [UInt8(next & 127) | 128, UInt8(next >> 7)]
      writer += [5, 0, 2] + [1, 97] + number + [0] + [1, 98] + number + [0]
    }
    writer += [5, 0, 0]
    let schema = try writer.withUnsafeBytes { try RecordSchema(bytes: $0) }
    #expect {
      try RecordValue([], schema: schema)
    } throws: {
      ($0 as? RecordDecodingError)?.message
        == "The schema gives far more values than there are bytes."
    }
    #expect(schema.opaqueValues == [])
    #expect(schema.firstDifference(from: schema) == nil)
    // A structure that contains itself.
    let loop: [UInt8] = [1, 1, 5, 0, 1, 1, 97, 0, 0]
    let endless = try loop.withUnsafeBytes { try RecordSchema(bytes: $0) }
    #expect {
      try RecordValue([], schema: endless)
    } throws: {
      ($0 as? RecordDecodingError)?.message
        == "Values are nested deeper than the 1024 levels allowed."
    }
  }
}
