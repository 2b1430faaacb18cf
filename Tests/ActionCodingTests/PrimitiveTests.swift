import ActionCoding
import Foundation
import Testing

struct PrimitiveTests {
  @Test func integersOfEveryWidthComeBackAtTheirBounds() throws {
    func check<T: FixedWidthInteger & Recordable>(_ type: T.Type) throws {
      let values: [T] = [.min, .max, 0, 1, 63, 64, 100, .max / 2, .max / 3 * 2]
      for value in values {
        #expect(try roundTrip(value) == value)
      }
    }
    try check(Int.self)
    try check(Int8.self)
    try check(Int16.self)
    try check(Int32.self)
    try check(Int64.self)
    try check(Int128.self)
    try check(UInt.self)
    try check(UInt8.self)
    try check(UInt16.self)
    try check(UInt32.self)
    try check(UInt64.self)
    try check(UInt128.self)
  }

  @Test(
    arguments: [
      (0, [0]), (-1, [1]), (1, [2]), (63, [126]), (64, [0x80, 1]), (-64, [127]), (-65, [0x81, 1]),
      (8_191, [0xfe, 0x7f]), (8_192, [0x80, 0x80, 1]),
    ] as [(Int, [UInt8])])
  func signedNumbersAreShortWhateverTheirSign(value: Int, bytes: [UInt8]) throws {
    #expect(try RecordWriter.bytes(of: value) == bytes)
  }

  @Test(
    arguments: [
      (0, [0]), (127, [127]), (128, [0x80, 1]), (300, [0xac, 2]),
      (UInt64.max, [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1]),
    ] as [(UInt64, [UInt8])])
  func unsignedNumbersTakeSevenBitsAByte(value: UInt64, bytes: [UInt8]) throws {
    #expect(try RecordWriter.bytes(of: value) == bytes)
  }

  @Test func everyPowerOfTwoAndItsNeighboursComeBack() throws {
    for shift in 0..<64 {
      let power = UInt64(1) << shift
      for value in [power, power &- 1, power &+ 1] {
        #expect(try roundTrip(value) == value)
        #expect(try roundTrip(Int64(bitPattern: value)) == Int64(bitPattern: value))
      }
    }
  }

  @Test func floatingPointNumbersKeepTheirBits() throws {
    let doubles: [Double] = [
      0, -0.0, 1, -1, .pi, .infinity, -.infinity, .nan, .signalingNaN,
      Double(bitPattern: 0x7ff8_0000_dead_beef), .leastNonzeroMagnitude, .greatestFiniteMagnitude,
    ]
    for value in doubles {
      let bytes = try RecordWriter.bytes(of: value)
      #expect(bytes.count == 8)
      #expect(try recordCoder(for: Double.self).value(of: bytes).bitPattern == value.bitPattern)
    }
    let floats: [Float] = [0, -0.0, .nan, .infinity, .leastNonzeroMagnitude, .pi]
    for value in floats {
      let bytes = try RecordWriter.bytes(of: value)
      #expect(try recordCoder(for: Float.self).value(of: bytes).bitPattern == value.bitPattern)
    }
  }

  @Test func stringsKeepTheirUTF8() throws {
    let strings = [
      "", "a", "fifteen bytes..", "sixteen bytes...", "é", "e\u{301}", "\r\n", "\0", "👩‍👩‍👧‍👦", "עברית",
      "한글", "\u{1112}\u{1161}\u{11ab}", String(repeating: "x", count: 100_000),
    ]
    for string in strings {
      #expect(Array(try roundTrip(string).utf8) == Array(string.utf8))
      #expect(Array(try roundTrip(Substring(string)).utf8) == Array(string.utf8))
    }
    // The two forms of é are equal strings with other bytes.
    #expect(try RecordWriter.bytes(of: "é") != RecordWriter.bytes(of: "e\u{301}"))
  }

  @Test func charactersAndScalarsComeBack() throws {
    for character in ["a", "é", "e\u{301}", "👩‍👩‍👧‍👦", "\r\n"] as [Character] {
      #expect(try roundTrip(character) == character)
    }
    for scalar in ["a", "\u{0}", "\u{10ffff}", "é"] as [Unicode.Scalar] {
      #expect(try roundTrip(scalar) == scalar)
    }
  }

  @Test func datesKeepTheirBits() throws {
    let dates = [
      Date(timeIntervalSinceReferenceDate: 0), .distantPast, .distantFuture,
      Date(timeIntervalSince1970: 1_700_000_000.123_456_7), Date(timeIntervalSince1970: -0.1),
    ]
    for date in dates {
      let back = try roundTrip(date)
      #expect(
        back.timeIntervalSinceReferenceDate.bitPattern
          == date.timeIntervalSinceReferenceDate.bitPattern)
    }
  }

  @Test func valuesOfFoundationComeBack() throws {
    let uuid = try #require(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF"))
    #expect(try roundTrip(uuid) == uuid)
    #expect(try RecordWriter.bytes(of: uuid).first == 0)
    #expect(try RecordWriter.bytes(of: uuid).count == 16)
    for data in [Data(), Data([0, 255, 1]), Data(repeating: 7, count: 70_000)] {
      #expect(try roundTrip(data) == data)
    }
    // A slice's indices do not begin at 0.
    let slice = Data([1, 2, 3, 4]).dropFirst(2)
    #expect(try roundTrip(slice) == Data([3, 4]))
    let base = try #require(URL(string: "https://example.com/a/"))
    let urls = [
      URL(string: "https://example.com/é?q=1#f"), URL(string: "b/c", relativeTo: base),
      URL(fileURLWithPath: "/tmp/x y"), base,
    ]
    for url in urls.compactMap({ $0 }) {
      let back = try roundTrip(url)
      #expect(back == url)
      #expect(back.baseURL == url.baseURL)
    }
  }

  @Test(arguments: [
    "0", "1.5", "-12.34", "99999999999999999999999999999999999999", "0.1", "NaN",
    "12300000000000000000000000000000000000000000000000000000000000000000",
    "0.0000000000000000000000000000000000000000000000000000000000000000012",
    "-0.00000000000000000000000000000000000000000000000000000000099",
  ])
  func decimalsComeBack(text: String) throws {
    let value = try #require(text == "NaN" ? .nan : Decimal(string: text))
    let back = try roundTrip(value)
    #expect(back == value || back.isNaN && value.isNaN)
    #expect(back.description == value.description)
  }

  @Test func equalDecimalsGiveEqualBytes() throws {
    let one = try #require(Decimal(string: "1.000"))
    #expect(try RecordWriter.bytes(of: one) == RecordWriter.bytes(of: Decimal(1)))
  }

  @Test func durationsComeBack() throws {
    let durations: [Duration] = [
      .zero, .seconds(-1), .nanoseconds(1), Duration(attoseconds: .max),
      Duration(attoseconds: .min), .seconds(1e10),
    ]
    for duration in durations {
      #expect(try roundTrip(duration) == duration)
    }
  }
}
