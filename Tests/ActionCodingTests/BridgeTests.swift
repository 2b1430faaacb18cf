import ActionCoding
import Foundation
import Testing

struct BridgeTests {
  struct Everything: Codable, Equatable {
    var bool = true
    var int = -5
    var int8 = Int8.min
    var int64 = Int64.max
    var int128 = Int128.max
    var uint = UInt.max
    var uint16: UInt16 = 9
    var uint128 = UInt128.max
    var double = 0.1
    var float: Float = 0.1
    var string = "é"
    var date = Date(timeIntervalSinceReferenceDate: 700_000_000.123_456_7)
    var data = Data([0, 1, 255])
    var url = URL(fileURLWithPath: "/tmp/a b")
    var uuid = UUID()
    var decimal = Decimal(string: "123456789.123456789") ?? 0
    var optional: Int?
    var present: Int? = 3
    var list = [1, 2, 3]
    var nested = [["a": [Date.distantPast]]]
    var tags: Set<String> = ["x", "y", "z"]
    var byInt = [1: "a", 2: "b"]
    var byDate = [Date.distantPast: 1, Date.distantFuture: 2]
    var state = Choice.pair(1, name: "n")
    var duration = Duration.seconds(3)
  }

  enum Choice: Codable, Equatable {
    case none
    case pair(Int, name: String)
  }

  @Test func everyTypeComesBackWithoutLoss() throws {
    let value = Everything()
    let back = try bridged(value)
    #expect(back == value)
    #expect(
      back.date.timeIntervalSinceReferenceDate.bitPattern
        == value.date.timeIntervalSinceReferenceDate.bitPattern)
  }

  @Test func topLevelValuesOfEveryKindComeBack() throws {
    #expect(try bridged(3) == 3)
    #expect(try bridged("x") == "x")
    #expect(try bridged([1, 2]) == [1, 2])
    #expect(try bridged(["a": 1]) == ["a": 1])
    #expect(try bridged(Int?.none) == nil)
    #expect(try bridged(Date.distantPast) == .distantPast)
    #expect(try bridged([Int]()) == [])
    #expect(try bridged([String: Int]()) == [:])
    #expect(try bridged([UUID: Int]()) == [:])
    #expect(try bridged(Choice.none) == Choice.none)
  }

  @Test func numbersThatJSONLacksComeBack() throws {
    struct Numbers: Codable { var all: [Double] }
    let numbers: [Double] = [.nan, .infinity, -.infinity, -0.0, .leastNonzeroMagnitude]
    let back = try bridged(Numbers(all: numbers))
    #expect(back.all.map(\.bitPattern) == numbers.map(\.bitPattern))
  }

  @Test func equalValuesGiveEqualBytes() throws {
    struct Unordered: Codable {
      var set: Set<Int>
      var byString: [String: Int]
      var byInt: [Int: Int]
      var byDate: [Date: Set<String>]
    }
    let coder = recordCoder(for: Unordered.self)
    var bytes: Set<[UInt8]> = []
    for seed in 0..<20 {
      var generator = Seeded(UInt64(seed))
      let numbers = (0..<50).shuffled(using: &generator)
      var value = Unordered(
        set: Set(minimumCapacity: seed * 40), byString: [:], byInt: [:], byDate: [:])
      for number in numbers {
        value.set.insert(number)
        value.byString["\(number)"] = number
        value.byInt[number] = number
        value.byDate[Date(timeIntervalSinceReferenceDate: Double(number))] = [
          "\(number)", "a", "b", "c",
        ]
      }
      bytes.insert(try roundTrip(value, by: coder).bytes)
    }
    #expect(bytes.count == 1)
  }

  class Animal: Codable {
    var name: String
    init(name: String) { self.name = name }
  }

  final class Dog: Animal {
    var tricks: [String]
    init(name: String, tricks: [String]) {
      self.tricks = tricks
      super.init(name: name)
    }
    private enum CodingKeys: String, CodingKey { case tricks }
    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      tricks = try container.decode([String].self, forKey: .tricks)
      try super.init(from: try container.superDecoder())
    }
    override func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(tricks, forKey: .tricks)
      try super.encode(to: container.superEncoder())
    }
  }

  @Test func superclassesComeBack() throws {
    let back = try bridged(Dog(name: "Rex", tricks: ["sit"]))
    #expect(back.name == "Rex" && back.tricks == ["sit"])
  }

  /// Two containers filled in turn, nested ones of both kinds, a list with gaps.
  struct Intricate: Codable, Equatable {
    var a = 1
    var b = [1, 2]
    var c = "c"

    enum CodingKeys: CodingKey { case first, second, list }
    enum Inner: CodingKey { case a, c }

    init() {}

    func encode(to encoder: any Encoder) throws {
      var outer = encoder.container(keyedBy: CodingKeys.self)
      var first = outer.nestedContainer(keyedBy: Inner.self, forKey: .first)
      var list = outer.nestedUnkeyedContainer(forKey: .list)
      try first.encode(0, forKey: .a)
      for element in b {
        try list.encode(element)
        try list.encodeNil()
        var nested = list.nestedUnkeyedContainer()
        try nested.encode(element)
      }
      var single = list.superEncoder().singleValueContainer()
      try single.encode("super")
      try first.encode(a, forKey: .a)
      // The same container a second time.
      var again = encoder.container(keyedBy: CodingKeys.self)
      var second = again.nestedContainer(keyedBy: Inner.self, forKey: .second)
      try second.encode(c, forKey: .c)
    }

    init(from decoder: any Decoder) throws {
      let outer = try decoder.container(keyedBy: CodingKeys.self)
      a = try outer.nestedContainer(keyedBy: Inner.self, forKey: .first).decode(
        Int.self, forKey: .a)
      c = try outer.nestedContainer(keyedBy: Inner.self, forKey: .second)
        .decode(String.self, forKey: .c)
      var list = try outer.nestedUnkeyedContainer(forKey: .list)
      b = []
      while let count = list.count, list.currentIndex < count - 1 {
        // A failed attempt does not move on.
        #expect(throws: DecodingError.self) { try list.decode(String.self) }
        b.append(try list.decode(Int.self))
        #expect(try list.decodeNil())
        var nested = try list.nestedUnkeyedContainer()
        #expect(try nested.decode(Int.self) == b.last)
        #expect(nested.isAtEnd)
      }
      #expect(try list.superDecoder().singleValueContainer().decode(String.self) == "super")
      #expect(list.isAtEnd)
      #expect(throws: DecodingError.self) { try list.decode(Int.self) }
    }
  }

  @Test func containersMayBeFilledInAnyOrder() throws {
    #expect(try bridged(Intricate()) == Intricate())
  }

  @Test func integersAreReadAtAnyWidthThatHoldsThem() throws {
    struct Wide: Codable { var value: Int64 }
    struct Narrow: Codable { var value: UInt8 }
    struct Real: Codable { var value: Double }
    func convert<A: Codable, B: Codable>(_ value: A, _ type: B.Type) throws -> B {
      let bytes = try recordCoder(for: A.self).bytes(of: value)
      return try recordCoder(for: B.self).value(of: bytes)
    }
    #expect(try convert(Wide(value: 200), Narrow.self).value == 200)
    #expect(try convert(Wide(value: 3), Real.self).value == 3)
    #expect {
      try convert(Wide(value: 300), Narrow.self)
    } throws: {
      ($0 as? RecordDecodingError)?.message
        == "A value of 'Narrow' can't be read at value: The number 300 does not fit into 'UInt8'."
    }
  }

  struct Refusing: Codable {
    var value = 1
    func encode(to encoder: any Encoder) throws {
      throw EncodingError.invalidValue(
        value, .init(codingPath: encoder.codingPath, debugDescription: "Not on Mondays."))
    }
  }

  @Recordable
  struct Holder {
    var refusing = Refusing()
    var number = 3
  }

  @Test func aValueThatRefusesToBeEncodedIsOpaqueWithItsReason() throws {
    let coder = recordCoder(for: Holder.self)
    let bytes = try coder.bytes(of: Holder())
    #expect(
      try RecordValue(bytes, schema: coder.schema).json()
        == #"{"refusing":{"$opaque":"Refusing","reason":"Not on Mondays."},"number":3}"#)
    #expect {
      try coder.value(of: bytes)
    } throws: {
      ($0 as? RecordDecodingError)?.message
        == "A value of 'Refusing' is not in the record: Not on Mondays."
    }
  }

  @Test func whatTheTypeRefusesToReadIsSaidWithItsPlace() throws {
    struct Old: Codable { var inner = ["a": [1]] }
    struct New: Codable { var inner: [String: [String]] }
    struct More: Codable { var inner: [String: [Int]], added: Int }
    let bytes = try recordCoder(for: Old.self).bytes(of: Old())
    #expect(
      refusal(New.self, bytes)
        == "A value of 'New' can't be read at inner.a[0]: Expected a string, but a number was recorded."
    )
    #expect(
      refusal(More.self, bytes)
        == "A value of 'More' can't be read: There is no value for the key 'added'.")
  }

  private func refusal<T: Codable>(_ type: T.Type, _ bytes: [UInt8]) -> String? {
    do throws(RecordDecodingError) {
      _ = try recordCoder(for: type).value(of: bytes)
      return nil
    } catch {
      return error.message
    }
  }

  final class Endless: Codable {
    var next: Endless?
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(["self": self])
    }
    init() {}
    init(from decoder: any Decoder) throws {}
  }

  @Test func aValueWithoutAnEndIsRefused() {
    #expect(throws: RecordOverflow.depth) {
      try RecordWriter.bytes { (writer) throws(RecordOverflow) in
        try writer.putBridged(Endless())
      }
    }
  }
}
