import ActionCoding
import Foundation
import Testing

private enum Example {
  @Recordable
  fileprivate enum Action {
    case increment
    case itemRenamed(id: Int, name: String)
  }
}

struct FormatTests {
  /// The worked example of the format's description, as bytes.
  private func example() throws -> (value: [UInt8], schema: [UInt8]) {
    let file = URL(fileURLWithPath: #filePath)
    let root = file.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let document = root.appendingPathComponent(
      "Sources/ActionCoding/ActionCoding.docc/Values.md")
    let text = try String(contentsOf: document, encoding: .utf8)
    let section = try #require(text.components(separatedBy: "## An example").last)
    let value = try #require(section.components(separatedBy: "is `").dropFirst().first)
    let schema = try #require(section.components(separatedBy: "```\n").dropFirst(2).first)
    func bytes(_ text: some StringProtocol) -> [UInt8] {
      text.split(separator: " ").prefix { $0.count == 2 && UInt8($0, radix: 16) != nil }
        .compactMap { UInt8($0, radix: 16) }
    }
    return (
      bytes(try #require(value.split(separator: "`").first)),
      schema.split(separator: "\n").flatMap(bytes)
    )
  }

  @Test func theExampleOfTheDescriptionIsWhatIsWritten() throws {
    let (value, schema) = try example()
    let coder = recordCoder(for: Example.Action.self)
    #expect(try coder.bytes(of: .itemRenamed(id: 1, name: "x")) == value)
    // The name has the nesting of this file.
    let read = try schema.withUnsafeBytes { try RecordSchema(bytes: $0) }
    #expect(read.firstDifference(from: coder.schema) == nil)
    #expect(try read.bytes() == schema)
    #expect(try RecordValue(value, schema: read).text() == #"itemRenamed(id: 1, name: "x")"#)
  }

  @Test func theTagsOfSelfDescribingBytesStayAsTheyAre() throws {
    func bytes<T: Codable>(_ value: T) throws -> [UInt8] {
      try RecordWriter.bytes { (writer) throws(RecordOverflow) in try writer.putBridged(value) }
    }
    #expect(try bytes(Int?.none) == [1, 0])
    #expect(try bytes(false) == [1, 1])
    #expect(try bytes(true) == [1, 2])
    #expect(try bytes(-1) == [2, 3, 1])
    #expect(try bytes(UInt(1)) == [2, 4, 1])
    #expect(try bytes(Int128(1)).prefix(3) == [17, 5, 1])
    #expect(try bytes(UInt128(1)).prefix(3) == [17, 6, 1])
    #expect(try bytes(Float(0)) == [5, 7, 0, 0, 0, 0])
    #expect(try bytes(0.0) == [9, 8, 0, 0, 0, 0, 0, 0, 0, 0])
    #expect(try bytes("a") == [3, 9, 1, 97])
    #expect(try bytes(Data([7])) == [3, 10, 1, 7])
    #expect(try bytes(Date(timeIntervalSinceReferenceDate: 0)).prefix(2) == [9, 11])
    #expect(try bytes(UUID()).prefix(2) == [17, 12])
    #expect(try bytes(URL(fileURLWithPath: "/a")).dropFirst().first == 13)
    #expect(try bytes(Decimal(1)) == [3, 14, 1, 49])
    #expect(try bytes([1]) == [4, 15, 1, 3, 2])
    #expect(try bytes(["k": 1]) == [6, 16, 1, 1, 107, 3, 2])
  }
}
