import ActionCoding
import Foundation
import Testing

@Recordable
private indirect enum Bush: Equatable {
  case again(Bush)
  case both(Bush, Bush)
  case end(Int, String)
  case other
}

@Recordable
private enum Bottomless {
  indirect case again(Bottomless)
  case none(Feature.Empty)
}

@Recordable
private struct Everything: Equatable {
  var number = 5, text = "x", flag = true
  var date = Date.distantPast, id = UUID(), url = URL(filePath: "/x"), data = Data([1])
  var decimal = Decimal(3), duration = Duration.seconds(1)
  var optional: Int? = 3
  var list = [1], table = [1: 2], set: Set = [1]
  var nested: Bush = .again(.other)
  var only = OnlyCodable()
  var onlyOptional: OnlyCodable?
  var range = 1..<3
  let constant = 7
  let made = UUID()

  static func == (left: Self, right: Self) -> Bool {
    left.number == right.number && left.text == right.text && left.nested == right.nested
  }
}

private struct ByHand: Recordable, Equatable {
  var letter: Character
  var scalar: Unicode.Scalar

  func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
    try self.letter.encode(to: &writer)
    try self.scalar.encode(to: &writer)
  }

  init(from reader: inout RecordReader) throws(RecordDecodingError) {
    self.letter = try Character(from: &reader)
    self.scalar = try Unicode.Scalar(from: &reader)
  }

  static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition {
    .structure(
      name: "ByHand",
      fields: [
        .init("letter", schema.type(Character.self)),
        .init("scalar", schema.type(Unicode.Scalar.self)),
      ])
  }
}

/// An enum whose first case can't be read.
private enum Picky: Recordable, Equatable {
  case fine

  func encode(to writer: inout RecordWriter) throws(RecordOverflow) { try writer.put(byte: 1) }

  init(from reader: inout RecordReader) throws(RecordDecodingError) {
    guard try reader.getCase() == 1 else { throw reader.error("not in the record") }
    self = .fine
  }

  static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition {
    .enumeration(
      name: "Picky", cases: [.init(index: 0, name: "unknown"), .init(index: 1, name: "fine")])
  }
}

private enum Raw: String, Codable { case first, second }
private enum Listed: String, Codable, CaseIterable { case first, second }
private enum Number: Int, Codable { case one = 1, two }
private enum Plain: Codable, Equatable { case first(Int, name: String), second }
private indirect enum Deep: Codable, Equatable { case again(Deep, Deep), end }
private enum Single: Codable { case only }

private struct Model: Codable, Equatable {
  var raw: Raw, listed: Listed, number: Number, plain: Plain
  var id: UUID, date: Date, url: URL, text: String, price: Decimal, data: Data
  var list: [Model], table: [String: Model], next: [Model]?, ratio: Double, small: Int8
  var deep: Deep
}

/// Two numbers in a list, as sizes and points are written.
private struct Pair: Codable, Equatable {
  var first: Int, second: Double

  init(from decoder: any Decoder) throws {
    var list = try decoder.unkeyedContainer()
    self.first = try list.decode(Int.self)
    self.second = try list.decode(Double.self)
  }

  func encode(to encoder: any Encoder) throws {
    var list = encoder.unkeyedContainer()
    try list.encode(self.first)
    try list.encode(self.second)
  }
}

private struct Refusing: Codable {
  init(from decoder: any Decoder) throws {
    throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "never"))
  }
  func encode(to encoder: any Encoder) throws {}
}

struct PlaceholderTests {
  @Test func zerosEmptyTextsAndNothing() throws {
    let value = try #require(recordCoder(for: Everything.self).placeholder())
    #expect(value.number == 0 && value.text == "" && !value.flag)
    #expect(value.date == Date(timeIntervalSinceReferenceDate: 0))
    #expect(value.id.uuidString == "00000000-0000-0000-0000-000000000000")
    #expect(value.data == Data() && value.decimal == 0 && value.duration == .zero)
    #expect(value.optional == nil && value.list == [] && value.table == [:] && value.set == [])
    #expect(value.url.path == "/" && value.range == 0..<0 && value.constant == 7)
    #expect(value.only == OnlyCodable(a: 0, b: []) && value.onlyOptional == nil)
  }

  @Test func theCaseThatNeedsTheLeast() {
    #expect(recordCoder(for: Bush.self).placeholder() == .other)
    #expect(recordCoder(for: CounterAction.self).placeholder() == .increment)
    #expect(recordCoder(for: Picky.self).placeholder() == .fine)
    #expect(recordCoder(for: Bottomless.self).placeholder() == nil)
    #expect(recordCoder(for: Feature.Empty.self).placeholder() == nil)
    #expect(recordCoder(for: Never.self).placeholder() == nil)
  }

  @Test func typesThatAreReadFromOneCharacter() {
    #expect(recordCoder(for: ByHand.self).placeholder()?.letter == " ")
    #expect(recordCoder(for: Character.self).placeholder() == " ")
    #expect(recordCoder(for: URL.self).placeholder() == URL(filePath: "/"))
  }

  @Test func byTheirCodableCode() throws {
    let model = try #require(recordCoder(for: Model.self).placeholder())
    #expect(model.raw == .first && model.listed == .first && model.number == .one)
    #expect(model.plain == .first(0, name: "") && model.deep == .again(.end, .end))
    #expect(model.text == "" && model.list == [] && model.table == [:] && model.next == nil)
    #expect(model.price == 0 && model.small == 0 && model.ratio == 0)
    #expect(recordCoder(for: Pair.self).placeholder()?.first == 0)
    #expect(recordCoder(for: Raw.self).placeholder() == .first)
    #expect(recordCoder(for: [Raw].self).placeholder() == [])
    #expect(recordCoder(for: Refusing.self).placeholder() == nil)
  }

  @Test func ofTypesWithoutAForm() {
    #expect(recordCoder(for: Neither.self).placeholder() == nil)
    #expect(recordCoder(for: Neither?.self).placeholder() == .some(nil))
    #expect(recordCoder(for: [Neither].self).placeholder() == [])
    #expect(recordCoder(for: [Int: Neither].self).placeholder() == [:])
    #expect(recordCoder(for: (() -> Void).self).placeholder() == nil)
    guard
      case .failure(let error)? = recordCoder(for: Result<Neither, any Error>.self).placeholder()
    else {
      Issue.record("no failure")
      return
    }
    #expect("\(error)" == "It is redacted.")
    guard case .success(0)? = recordCoder(for: Result<Int, any Error>.self).placeholder() else {
      Issue.record("no success")
      return
    }
  }

  @Test func whereNothingIsKnownOfTheType() {
    func placeholder<T>(_ type: T.Type) -> T? { ValueCoder<T>().placeholder() }
    #expect(placeholder(Bush.self) == .other)
    #expect(placeholder(Raw.self) == .first)
    #expect(placeholder(Int??.self) == .some(nil))
  }

  // The same type is asked again and again.
  @Test func againTheSame() {
    for _ in 0..<3 { #expect(recordCoder(for: Bush.self).placeholder() == .other) }
  }
}
