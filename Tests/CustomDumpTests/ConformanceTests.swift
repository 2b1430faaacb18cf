import CustomDump
import Foundation
import IdentifiedCollections
import Testing

@Suite struct ConformanceTests {
  @Test func foundation() throws {
    let url = try #require(URL(string: "https://example.com/a"))
    #expect(String(customDumping: url) == "URL(https://example.com/a)")
    let uuid = try #require(UUID(uuidString: "DEADBEEF-DEAD-BEEF-DEAD-BEEFDEADBEEF"))
    #expect(String(customDumping: uuid) == "UUID(DEADBEEF-DEAD-BEEF-DEAD-BEEFDEADBEEF)")
    #expect(String(customDumping: Data([1, 2, 3, 4])) == "Data(4 bytes)")
    #expect(String(customDumping: Data([1])) == "Data(1 byte)")
    #expect(String(customDumping: Decimal(string: "20.23")) == "20.23")
    #expect(String(customDumping: Locale(identifier: "en_US")) == "Locale(en_US)")
    #expect(
      String(customDumping: Notification.Name("changed")) == #"Notification.Name("changed")"#)
    let zone = try #require(TimeZone(identifier: "GMT"))
    #expect(
      String(customDumping: zone) == """
        TimeZone(
          identifier: "GMT",
          abbreviation: "GMT",
          secondsFromGMT: 0,
          isDaylightSavingTime: false
        )
        """)
    #expect(
      String(customDumping: NSError(domain: "here", code: 7)) == """
        NSError(
          domain: "here",
          code: 7,
          userInfo: [:]
        )
        """)
  }

  @Test(arguments: [
    (0, "1970-01-01T00:00:00.000Z"), (1_234_567_890.123, "2009-02-13T23:31:30.123Z"),
    (-0.001, "1969-12-31T23:59:59.999Z"), (1_700_000_000.999_9, "2023-11-14T22:13:21.000Z"),
  ])
  func dates(seconds: TimeInterval, text: String) {
    #expect(String(customDumping: Date(timeIntervalSince1970: seconds)) == "Date(\(text))")
  }

  @Test func datesThatNoCalendarHas() {
    #expect(
      String(customDumping: Date(timeIntervalSinceReferenceDate: .infinity))
        == "Date(timeIntervalSinceReferenceDate: inf)")
    #expect(String(customDumping: Date.distantPast) == "Date(0001-01-01T00:00:00.000Z)")
  }

  @Test func aTypeMayBeDumpedInItsOwnWay() {
    struct Mirrored: CustomDumpReflectable {
      var secret = 1
      var customDumpMirror: Mirror {
        Mirror(self, children: ["a": 1, "b": 2], displayStyle: .struct)
      }
    }
    struct Standing: CustomDumpRepresentable {
      var customDumpValue: Any { [1] }
    }
    struct Described: CustomDumpStringConvertible {
      var customDumpDescription: String { "<\n  x\n>" }
    }
    #expect(String(customDumping: Mirrored()) == "ConformanceTests.Mirrored(\n  a: 1,\n  b: 2\n)")
    #expect(String(customDumping: Standing()) == "[\n  [0]: 1\n]")
    #expect(String(customDumping: [Described()]) == "[\n  [0]: <\n    x\n  >\n]")
  }

  @Test func identifiedArraysAreDumpedAsArrays() {
    let users: IdentifiedArrayOf<User> = [User(favoriteNumbers: [], id: 1, name: "Blob")]
    #expect(
      String(customDumping: users) == """
        [
          [0]: User(
            favoriteNumbers: [],
            id: 1,
            name: "Blob"
          )
        ]
        """)
    var others: IdentifiedArrayOf<User> = users
    others[id: 1]?.name = "Blob!"
    #expect(
      diff(users, others) == """
          [
            [0]: User(
              favoriteNumbers: [],
              id: 1,
        -     name: "Blob"
        +     name: "Blob!"
            )
          ]
        """)
  }

  @Test func objectsOfFoundationAreDumpedAsTheirValues() {
    func dump(_ value: Any) -> String { String(customDumping: value) }
    let id = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))
    #expect(dump(NSString("a")) == #""a""#)
    #expect(dump(NSMutableString("a")) == #""a""#)
    #expect(dump(NSNumber(1)) == "1")
    #expect(dump(NSDecimalNumber(string: "1.5")) == "1.5")
    #expect(dump(NSDate(timeIntervalSince1970: 0)) == "Date(1970-01-01T00:00:00.000Z)")
    #expect(dump(NSUUID(uuidString: id.uuidString)!) == "UUID(\(id.uuidString))")
    #expect(dump(NSURL(string: "https://a.b")!) == "URL(https://a.b)")
    #expect(dump(NSData(data: Data([1, 2]))) == "Data(2 bytes)")
    #expect(dump(NSLocale(localeIdentifier: "en_US")) == "Locale(en_US)")
    #expect(dump(NSAttributedString(string: "a")) == #""a""#)
    #expect(dump(AttributedString("a")) == #""a""#)
    #expect(dump(NSOrderedSet(array: [2, 1])) == "[\n  [0]: 2,\n  [1]: 1\n]")
    #expect(dump(NSArray(array: [2, 1])) == "[\n  [0]: 2,\n  [1]: 1\n]")
    #expect(dump(NSDictionary(dictionary: ["a": 1])) == "[\n  \"a\": 1\n]")
    #expect(dump(NSIndexPath(indexes: [1, 2], length: 2)) == dump(IndexPath(indexes: [1, 2])))
    #expect(dump(NSIndexSet(index: 1)) == dump(IndexSet(integer: 1)))
    let zone = TimeZone(identifier: "GMT")!
    #expect(dump(NSTimeZone(name: "GMT")!) == dump(zone))
    let calendar = Calendar(identifier: .gregorian)
    #expect(dump(NSCalendar(identifier: .gregorian)!) == dump(calendar))
  }
}
