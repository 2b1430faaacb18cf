import ActionCoding
import Foundation
import Testing

@Recordable
struct Shown {
  var optional: Int?
  var nested: Int??
  var double: Double
  var float: Float
  var string: String
  var data: Data
  var date: Date
  var url: URL
  var decimal: Decimal
  var duration: Duration
  var byName: [String: Int]
  var byNumber: [Int: Int]
  var byDate: [Date: Int]
  var wide: UInt128
}

struct RecordValueTests {
  private let shown = Shown(
    optional: nil, nested: .some(nil), double: .nan, float: -.infinity,
    string: "a\"b\\c\n\u{1}é\u{7f}",
    data: Data([1, 2, 3]), date: Date(timeIntervalSinceReferenceDate: 0.25),
    url: URL(fileURLWithPath: "/no/such"), decimal: Decimal(string: "1.50") ?? 0,
    duration: .seconds(2),
    byName: ["b": 2, "a": 1], byNumber: [1: 2],
    byDate: [.init(timeIntervalSinceReferenceDate: 0): 1],
    wide: .max)

  @Test func jsonHasTheShapeOfCodable() throws {
    #expect(
      try json(shown) == #"""
        {"optional":null,"nested":{"some":null},"double":"nan","float":"-inf",\#
        "string":"a\"b\\c\n\u0001é\u007f","data":"AQID","date":"2001-01-01T00:00:00.25Z",\#
        "url":"file:///no/such","decimal":1.5,"duration":"2.0 seconds","byName":{"a":1,"b":2},\#
        "byNumber":{"1":2},"byDate":["2001-01-01T00:00:00Z",1],\#
        "wide":340282366920938463463374607431768211455}
        """#)
    #expect(try json(CounterAction.increment) == #"{"increment":{}}"#)
    #expect(
      try json(CounterAction.itemRenamed(id: 1, name: "x"))
        == #"{"itemRenamed":{"id":1,"name":"x"}}"#
    )
  }

  @Test func jsonIsWhatFoundationWritesForTheSameType() throws {
    struct Plain: Codable {
      enum Choice: Codable { case none, one(Int), two(a: Int, b: [String]) }
      var choices: [Choice]
      var map: [String: Double]
      var flag: Bool
    }
    let plain = Plain(
      choices: [.none, .one(1), .two(a: 2, b: ["x", "y/z"])], map: ["k": 0.1], flag: true)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let expected = String(decoding: try encoder.encode(plain), as: UTF8.self)
    #expect(try json(plain, by: recordCoder(for: Plain.self)) == expected)
  }

  @Test func jsonCanBeIndented() throws {
    #expect(
      try json(Feature.Action.d(x: 1, "s", y: 0.5), pretty: true) == """
        {
          "d": {
            "x": 1,
            "_1": "s",
            "y": 0.5
          }
        }
        """)
    #expect(try json([[Int]](), pretty: true) == "[]")
    #expect(try json([[1], []], pretty: true) == "[\n  [\n    1\n  ],\n  []\n]")
  }

  @Test func textIsOneLine() throws {
    #expect(try text(CounterAction.increment) == "increment")
    #expect(
      try text(CounterAction.itemRenamed(id: 1, name: "x\n\u{1b}[2J"))
        == #"itemRenamed(id: 1, name: "x\n\u{1b}[2J")"#)
    #expect(try text(Feature.Action.b(1, 2)) == "b(1, 2)")
    #expect(try text(Feature.Action.n(.ok)) == "n(ok)")
    #expect(
      try text(Feature.Action.Alert.Deep()) == "Deep(deeper: Deeper(value: 1))")
    #expect(try text(["a": [1, 2]]) == #"["a": [1, 2]]"#)
    #expect(try text([String: Int]()) == "[:]")
    #expect(
      try text([Int???.some(nil), .some(.some(nil)), 1, nil])
        == "[.some(nil), .some(.some(nil)), .some(.some(1)), nil]")
    #expect(try text(Data([1, 2])) == "2 bytes")
  }

  @Test func textIsCutAtItsLimit() throws {
    let action = CounterAction.itemRenamed(id: 1, name: "abcdefgh")
    let whole = try text(action)
    #expect(whole.count == 36)
    #expect(try text(action, limit: 36) == whole)
    #expect(try text(action, limit: 35) == "itemRenamed(id: 1, name: \"abcdefgh…")
    #expect(try text(action, limit: 1) == "…")
    #expect(try text(Array(0..<10_000), limit: 10) == "[0, 1, 2,…")
    #expect(try text(String(repeating: "👩‍👩‍👧‍👦", count: 1_000), limit: 5) == "\"👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦…")
  }

  @Test(
    arguments: [
      (0, "2001-01-01T00:00:00Z"), (-0.5, "2000-12-31T23:59:59.5Z"),
      (86_399.999, "2001-01-01T23:59:59.999Z"),
      (733_881_600.123_456_7, "2024-04-04T00:00:00.1234567Z"),
      (99_273_600, "2004-02-24T00:00:00Z"), (99_705_600, "2004-02-29T00:00:00Z"),
      (-31_622_400, "2000-01-01T00:00:00Z"), (-978_307_200, "1970-01-01T00:00:00Z"),
      (-63_113_904_000, "0001-01-01T00:00:00Z"), (252_423_993_599, "9999-12-31T23:59:59Z"),
      (252_423_993_600, "252423993600.0s"), (.infinity, "infs"), (.nan, "nans"),
      (0.1, "2001-01-01T00:00:00.1Z"),
    ] as [(Double, String)])
  func datesAreISO8601WithoutLoss(seconds: Double, text expected: String) throws {
    #expect(try text(Date(timeIntervalSinceReferenceDate: seconds)) == expected)
  }

  @Test func valuesAreEqualWhenTheirBytesAre() throws {
    func value<T: Recordable>(_ value: T) throws -> RecordValue {
      try RecordValue(RecordWriter.bytes(of: value), schema: RecordSchema(of: T.self))
    }
    #expect(try value(Double.nan) == value(Double.nan))
    #expect(try value(0.0) != value(-0.0))
    #expect(try value("é") != value("e\u{301}"))
    #expect(try value(shown) == value(shown))
    #expect(try value(CounterAction.set(1)) != value(CounterAction.set(2)))
    #expect(try value(Int?.none) != value(Int?.some(0)))
    #expect(try value(Int??.some(nil)) != value(Int??.none))
  }
}
