import ActionCoding
import Foundation
import Testing

@Recordable
indirect enum Tree: Equatable, Sendable {
  case leaf
  case node(Tree)
  case list([Tree])
}

/// A tree of so many levels.
private func nested(_ depth: Int) -> Tree {
  (0..<depth).reduce(.leaf) { tree, _ in .node(tree) }
}

struct LimitTests {

  @Test func valuesAreAsDeepAsTheLimitAndNoDeeper() throws {
    let limit = RecordWriter.depthLimit
    #expect(try roundTrip(nested(limit - 1)) == nested(limit - 1))
    #expect(throws: RecordOverflow.depth) {
      try RecordWriter.bytes(of: nested(limit + 1))
    }
    #expect(
      "\(RecordOverflow.depth)"
        == "The value is nested deeper than the 256 levels that a record may have.")
  }

  @Test func hostileDepthEndsInAnError() {
    let bytes = [UInt8](repeating: 1, count: 100_000)
    let text = failure(Tree.self, bytes)
    #expect(
      text?.hasSuffix("Values are nested deeper than the 256 levels allowed. (byte 257)") == true)
  }

  @Test func theDeepestValueFitsIntoASmallStack() throws {
    // Secondary threads of a program may have 512 KiB.
    let bytes = try RecordWriter.bytes(of: nested(RecordWriter.depthLimit))
    nonisolated(unsafe) var outcome: [Bool] = []
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      outcome.append((try? recordCoder(for: Tree.self).value(of: bytes)) != nil)
      outcome.append((try? RecordWriter.bytes(of: nested(RecordWriter.depthLimit))) == bytes)
      [UInt8](repeating: 1, count: 4_096).withUnsafeBytes { hostile in
        var reader = RecordReader(hostile)
        outcome.append((try? Tree(from: &reader)) == nil)
      }
      done.signal()
    }
    thread.stackSize = 512 << 10
    thread.start()
    done.wait()
    #expect(outcome == [true, true, true])
  }

  @Test func theDeepestValuesCanBeReadWithoutTheirType() throws {
    let bytes = try RecordWriter.bytes(of: nested(RecordWriter.depthLimit))
    let value = try RecordValue(bytes, schema: RecordSchema(of: Tree.self))
    #expect(value.json().hasSuffix("{\"leaf\":{}}" + String(repeating: "}}", count: 256)))
  }

  @Test func aWriterIsFullAtEveryByte() throws {
    let value = Sample.example
    let coder = recordCoder(for: Sample.self)
    let whole = try coder.bytes(of: value)
    for size in 0..<whole.count {
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 1)
      defer { memory.deallocate() }
      var writer = RecordWriter(memory)
      #expect(throws: RecordOverflow.space) { try coder.encode(value, to: &writer) }
      #expect(writer.count <= size)
    }
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: whole.count, alignment: 1)
    defer { memory.deallocate() }
    var writer = RecordWriter(memory)
    try coder.encode(value, to: &writer)
    #expect(writer.remaining == 0)
    #expect(Array(memory) == whole)
  }

  @Test func growingMemoryHoldsLargeValues() throws {
    for size in [0, 511, 512, 513, 2_047, 70_000, 5 << 20] {
      let string = String(repeating: "x", count: size)
      #expect(try RecordWriter.bytes(of: string).count >= size)
    }
  }

  @Test func emptyMemoryAndEmptyBytesAreNoTrap() throws {
    var writer = RecordWriter(UnsafeMutableRawBufferPointer(start: nil, count: 0))
    #expect(throws: RecordOverflow.space) { try true.encode(to: &writer) }
    try writer.put(raw: UnsafeRawBufferPointer(start: nil, count: 0))
    var reader = RecordReader(UnsafeRawBufferPointer(start: nil, count: 0))
    #expect(throws: RecordDecodingError.self) { try Bool(from: &reader) }
    try reader.finish()
  }

  @Test func everyFailureHasAText() {
    #expect(failure(Bool.self, []) == "The record ends in the middle of a value. (byte 0)")
    #expect(failure(Bool.self, [2]) == "The number 2 does not fit into 'Bool'. (byte 1)")
    #expect(failure(Int8.self, [1, 2]) == "The value ends here, but 1 more bytes follow. (byte 1)")
    #expect(
      failure(Int16.self, [0x80, 0x80, 4]) == "The number 32768 does not fit into 'Int16'. (byte 3)"
    )
    #expect(
      failure(Int.self, [0x80, 0])
        == "A number is not written in its shortest form, or has more than 64 bits. (byte 2)")
    #expect(failure(Int.self, [UInt8](repeating: 0xff, count: 9) + [2]) != nil)
    #expect(failure(String.self, [2, 0xff, 0xff]) == "A string of 2 bytes is not UTF-8. (byte 3)")
    #expect(
      failure(Character.self, [2, 97, 98])
        == "A character is recorded as a string that is not one character. (byte 3)")
    #expect(failure(Character.self, [0]) != nil)
    #expect(
      failure(Unicode.Scalar.self, [0x80, 0xb0, 3])
        == "The number 55296 does not fit into 'Unicode.Scalar'. (byte 3)")
    #expect(failure(Int?.self, [2]) == "The number 2 does not fit into 'Optional'. (byte 1)")
    #expect(failure(URL.self, [0, 0]) == "The text '' is not a URL. (byte 2)")
    #expect(
      failure(Decimal.self, [2, 49, 120]) == "The text '1x' is not a decimal number. (byte 3)")
    #expect(failure(Never.self, []) == "A value of 'Never' can't be in a record. (byte 0)")
    #expect(failure(Tree.self, [9]) == "'Tree' has no case number 9. (byte 1)")
  }

  @Test func errorsSayWhereInTheValue() {
    #expect(
      failure(Sample.self, [2, 1, 2, 104, 105, 1, 2, 9])
        == "items[0].done: The number 9 does not fit into 'Bool'. (byte 8)")
  }
}

/// A bit of everything.
@Recordable
struct Sample: Equatable, Sendable {
  struct Item: Equatable {
    var id: Int
    var done: Bool
  }
  var count: Int
  var name: String?
  var items: [Item]
  var lookup: [String: Double]
  var tags: Set<Int>
  var date: Date
  var id: UUID
  var blob: Data
  var tree: Tree

  static let example = Sample(
    count: -300, name: "name of it", items: [Item(id: 1, done: true), Item(id: 700, done: false)],
    lookup: ["a": 1.5, "b": -0.0], tags: [1, 2, 300],
    date: Date(timeIntervalSinceReferenceDate: 1), id: UUID(), blob: Data([1, 2, 3]),
    tree: .list([.leaf, .node(.leaf)]))
}
