import ActionCoding
import Foundation
import Testing

// Types with which generated code could clash or give a warning. That the file compiles without one
// is most of the test.

@Recordable
private enum Aged {
  @available(*, deprecated, message: "no") case old(Int)
  @available(*, unavailable) case gone(Int)
  case new  // a comment
  case c(Int) /* another */
  case d
}

@available(*, deprecated)
private struct OldValue: Codable { var x = 1 }

@Recordable
private struct AgedState {
  @available(*, deprecated) var a = 1  // a comment
  var b = 2 /* another */
  @available(*, deprecated) private var old = OldValue()
}

/// Names that generated code uses for its own.
@Recordable
private struct Names: Equatable {
  var reader = 1
  var writer = 2
  var fields = 3
  var schema = 4
  var value = 5
  var field = 6
  var root = 7
  var type = 8
  var number = 9
}

@Recordable
private enum CaseNames: Equatable {
  case number(Int)
  case schema(Int, Int)
  case types(reader: Int)
  case value0(field0: Int)
  case reader
  static func make() {}
}

/// Properties of types that are special in one way or another.
@Recordable
private struct Special {
  weak var weak: NSObject?
  unowned var unowned: NSObject
  private(set) var readOnly = 1
  nonisolated(unsafe) var unsafe = 1
  var closure: @Sendable (Int) async throws -> Void
  var any: Any
  var hashable: AnyHashable
  var metatype: Int.Type
  var keyPath: KeyPath<Special, Int>
  var optionalTuple: (Int, Int)?
  var tuples: [(Int, Int)]
  var float: CGFloat
  var implicit: Int!
  var some: some Equatable = 3
  var never: Never?
  var locale: Locale
  var errors: [Result<Int, Failure>]
  var error: any Error & Sendable
  var optionalError: (any Error)?
  var failure: Failure

  struct Failure: Error { var x = 1 }
}

@Recordable
private struct Model: Equatable {
  enum Raw: String { case a = "x", b }
  enum Both: Int, Codable, CaseIterable { case a = 1, b }
  struct ID: RawRepresentable, Hashable { var rawValue: Int }
  struct Options: OptionSet {
    let rawValue: Int
    static let first = Options(rawValue: 1)
  }
  var raw = Raw.b
  var both = Both.b
  var id = ID(rawValue: 3)
  var options: Options = [.first]
  var result = Result<Int, Problem>.failure(Problem(x: 4))
  struct Problem: Error, Equatable { var x = 1 }
}

@Recordable
private enum Pair<First: Codable, Second> {
  case first(First)
  case second(Second)
  case both(First, Second, list: [First])
  indirect case nested(Pair, Pair<First, Second>)
}

struct OddTypesTests {
  @Test func casesThatAreGoneLeaveTheirNumber() throws {
    #expect(try text(Aged.new) == "new")
    #expect(try roundTrip(Aged.c(3), by: recordCoder(for: Aged.self)).bytes == [3, 6])
    #expect(failure(Aged.self, [1, 2]) == "'Aged' has no case number 1. (byte 1)")
    #expect(try json(AgedState()) == #"{"a":1,"b":2,"old":{"x":1}}"#)
  }

  @Test func namesDoNotClash() throws {
    #expect(try roundTrip(Names()) == Names())
    let cases: [CaseNames] = [
      .number(1), .schema(1, 2), .types(reader: 3), .value0(field0: 4), .reader,
    ]
    for value in cases { #expect(try roundTrip(value) == value) }
  }

  @Test func specialPropertiesAreOpaqueByName() {
    let opaque = RecordSchema(of: Special.self).opaqueValues.map(\.path)
    #expect(
      opaque == [
        "weak", "unowned", "closure", "any", "hashable", "metatype", "keyPath", "optionalTuple",
        "tuples", "some", "error", "optionalError",
      ])
  }

  @Test func rawAndErrorTypesComeBack() throws {
    #expect(try roundTrip(Model()) == Model())
    #expect(
      try json(Model()) == """
        {"raw":{"b":{}},"both":{"b":{}},"id":{"rawValue":3},"options":{"rawValue":1},\
        "result":{"failure":{"_0":{"x":4}}}}
        """)
  }

  @Test func genericEnumsTakeTheBridgeForCodableParameters() throws {
    let value = Pair<Int, String>.first(3)
    #expect(try json(value) == #"{"first":{"_0":3}}"#)
    #expect(
      try roundTrip(
        Pair<Int, Int>.nested(.first(1), .first(2)), by: recordCoder(for: Pair<Int, Int>.self)
      ).bytes.count == 9)
    #expect(
      RecordSchema(of: Pair<Int, Int>.self).opaqueValues.map(\.path) == ["second", "both._1"])
  }

  @Test func oneTypeMayBeWrittenInTwoWays() throws {
    // The constraint makes the first a bridged one, and nothing is known of the second.
    let pair = Pair<Int, Int>.both(1, 2, list: [3])
    let coder = recordCoder(for: Pair<Int, Int>.self)
    let bytes = try coder.bytes(of: pair)
    #expect(bytes == [2, 2, 3, 2, 4, 15, 1, 3, 6])
    let value = try RecordValue(bytes, schema: coder.schema)
    let reason = """
      The type is Codable, but not where the value is declared: constrain the generic parameter to \
      Codable, or declare the type nonisolated.
      """
    #expect(
      value.json()
        == #"{"both":{"_0":1,"_1":{"$opaque":"Int","reason":"\#(reason)"},"list":[3]}}"#)
  }
}
