import ActionCoding
import Foundation
import Testing

@Recordable
enum CounterAction: Equatable {
  case increment
  case set(Int)
  case itemRenamed(id: Int, name: String)
}

private func dynamic<T>(_ type: T.Type) -> ValueCoder<T> {
  // Nothing is known of the type here.
  ValueCoder()
}

struct ValueCoderTests {
  @Test func theCoderIsChosenByWhatTheTypeIs() {
    #expect(recordCoder(for: CounterAction.self).kind == .recordable)
    #expect(recordCoder(for: OnlyCodable.self).kind == .codable)
    #expect(recordCoder(for: Neither.self).kind == .opaque)
    #expect(recordCoder(for: Int.self).kind == .recordable)
    #expect(recordCoder(for: [OnlyCodable].self).kind == .codable)
    #expect(recordCoder(for: (any Shape & Codable).self).kind == .opaque)
  }

  @Test func theChoiceIsTheSameWhenTheProgramRuns() {
    #expect(dynamic(CounterAction.self).kind == .recordable)
    #expect(dynamic(OnlyCodable.self).kind == .codable)
    #expect(dynamic(Neither.self).kind == .opaque)
    #expect(dynamic([Int: [Date?]].self).kind == .recordable)
    #expect(dynamic([OnlyCodable].self).kind == .codable)
    #expect(dynamic((any Shape & Codable).self).kind == .opaque)
  }

  @Test func bothChoicesWriteTheSame() throws {
    let actions: [CounterAction] = [.increment, .set(-1), .itemRenamed(id: 1, name: "x")]
    for action in actions {
      let bytes = try recordCoder(for: CounterAction.self).bytes(of: action)
      #expect(try dynamic(CounterAction.self).bytes(of: action) == bytes)
      #expect(try dynamic(CounterAction.self).value(of: bytes) == action)
    }
    let coder = recordCoder(for: OnlyCodable.self)
    #expect(try roundTrip(OnlyCodable(), by: coder).value == OnlyCodable())
    #expect(dynamic(CounterAction.self).schema == recordCoder(for: CounterAction.self).schema)
    #expect(dynamic(OnlyCodable.self).schema == coder.schema)
  }

  @Test func smallActionsTakeFewBytes() throws {
    let coder = recordCoder(for: CounterAction.self)
    #expect(try coder.bytes(of: .increment) == [0])
    #expect(try coder.bytes(of: .set(1)) == [1, 2])
    #expect(try coder.bytes(of: .itemRenamed(id: 1, name: "x")) == [2, 2, 1, 120])
  }

  @Test func anOpaqueTypeWritesNothingAndIsNeverRead() throws {
    let coder = recordCoder(for: Neither.self)
    #expect(try coder.bytes(of: Neither()) == [])
    #expect {
      try coder.value(of: [])
    } throws: {
      "\($0)" == """
        A value of 'Neither' is not in the record: The type is neither Recordable nor Codable. \
        (byte 0)
        """
    }
    let opaque = try #require(coder.schema.opaqueValues.first)
    #expect(opaque.path == "" && opaque.type == "Neither")
    #expect(opaque.reason == "The type is neither Recordable nor Codable.")
  }

  /// A box as a library would write it: of its content nothing is known.
  struct Box<Content>: Recordable {
    var content: Content

    init(_ content: Content) { self.content = content }

    func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
      try writer.put(resolving: content)
    }

    init(from reader: inout RecordReader) throws(RecordDecodingError) {
      content = try reader.get(resolving: Content.self)
    }

    static func recordDefinition(
      in schema: inout RecordSchemaBuilder
    ) -> RecordSchema.Definition {
      .structure(name: "Box", fields: [.init("content", schema.type(resolving: Content.self))])
    }
  }

  @Test func genericBoxesFindTheCoderOfTheirContent() throws {
    #expect(try roundTrip(Box(CounterAction.set(3))).content == .set(3))
    #expect(try json(Box(CounterAction.set(3))) == #"{"content":{"set":{"_0":3}}}"#)
    #expect(try roundTrip(Box(OnlyCodable())).content == OnlyCodable())
    #expect(try json(Box(OnlyCodable())) == #"{"content":{"a":1,"b":["x"]}}"#)
    #expect(try json(Box(Neither())).contains("$opaque"))
  }
}
