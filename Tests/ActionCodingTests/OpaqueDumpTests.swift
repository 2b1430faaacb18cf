import Foundation
import Testing

@testable import ActionCoding

/// Texts of values that have no form in bytes, and how these are found.
@Suite struct OpaqueDumpTests {
  struct Plain {
    var text: String
  }

  struct Deep {
    var next: [Deep] = []
    var number = 0
  }

  @Recordable
  struct Note {
    var plain: Plain
    var count = 3
    @Redacted var hidden: Plain = Plain(text: "hidden")
    var named: [String: Box] = [:]
    var maybe: Plain?
    var results: [Box] = []
  }

  @Recordable
  enum Box {
    case empty
    case full(Plain, label: String)
  }

  private func text(
    _ value: Any, _ limit: Int = 1_000, redaction: RecordRedaction? = nil
  ) -> String? {
    OpaqueDump.text(of: value, at: [], type: "Any", redaction: redaction, byteLimit: limit)
  }

  @Test func aTextHasALimitInBytes() {
    let whole = "Any(text: \"ééé\")"
    #expect(self.text(Plain(text: "ééé"), whole.utf8.count) == whole)
    #expect(self.text(Plain(text: "ééé"), whole.utf8.count + 1) == whole)
    let cut = self.text(Plain(text: "ééé"), whole.utf8.count - 1)
    #expect(cut == "Any(text: \"éé…")
    for limit in 3...whole.utf8.count {
      #expect((self.text(Plain(text: "ééé"), limit)?.utf8.count ?? 0) <= limit)
    }
  }

  @Test func depthHasALimit() {
    var deep = Deep()
    for number in 1...50 { deep = Deep(next: [deep], number: number) }
    let text = self.text(deep, 100_000) ?? ""
    #expect(text.contains("number: 48"))
    #expect(!text.contains("number: 40"))
    #expect(text.contains("<Deep>"))
  }

  @Test func theCountOfValuesHasALimit() {
    let many = [Plain](repeating: Plain(text: "x"), count: 100_000)
    let text = self.text(many, 1 << 20) ?? ""
    #expect(text.components(separatedBy: "Plain").count <= OpaqueDump.nodeLimit + 1)
  }

  @Test func aRedactionMayTakeItAll() {
    let redaction = RecordRedaction { path, _, _ in path.components.isEmpty ? .redact : .keep }
    #expect(self.text(Plain(text: "x"), redaction: redaction) == nil)
  }

  private func fields(of note: Note) throws -> [String] {
    let coder = recordCoder(for: Note.self)
    return coder.opaqueFields(of: note, bytes: try coder.bytes(of: note), schema: coder.schema).map
    {
      "\(RecordPath($0.path)): \($0.type) \(($0.value as? Plain)?.text ?? "-")"
    }
  }

  @Test func whatHasNoFormInBytesIsFoundAtItsPlace() throws {
    let note = Note(
      plain: Plain(text: "a"), named: ["x": .full(Plain(text: "d"), label: "n")], maybe: nil,
      results: [.empty, .full(Plain(text: "b"), label: "l"), .full(Plain(text: "c"), label: "m")])
    #expect(
      try self.fields(of: note).filter { !$0.hasPrefix("maybe") } == [
        "plain: Plain a", "results[1].full._0: Plain b", "results[2].full._0: Plain c",
      ])
  }

  @Test func aValueWithoutSuchPartsHasNone() throws {
    let coder = recordCoder(for: [String: Int].self)
    let value = ["a": 1]
    #expect(
      coder.opaqueFields(of: value, bytes: try coder.bytes(of: value), schema: coder.schema).isEmpty
    )
  }

  /// Says that it has two fields without a form in bytes, and asks for one to be written.
  struct Wrong: Recordable {
    func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
      try writer.put(RecordField(Plain(text: "x")))
    }
    init() {}
    init(from reader: inout RecordReader) throws(RecordDecodingError) { self.init() }
    static func recordDefinition(
      in schema: inout RecordSchemaBuilder
    ) -> RecordSchema.Definition {
      let plain = schema.opaque(Plain.self, reason: "It has none.")
      return .structure(name: "Wrong", fields: [.init("a", plain), .init("b", plain)])
    }
  }

  @Test func whereThePlacesAreNotCertainThereAreNone() throws {
    let coder = recordCoder(for: Wrong.self)
    #expect(
      coder.opaqueFields(of: Wrong(), bytes: try coder.bytes(of: Wrong()), schema: coder.schema)
        .isEmpty)
  }

  @Test func theTextIsTheSameWhateverTheOrderOfASetOrDictionary() {
    struct Holder {
      var names: Set<String>
      var plains: [Int: Plain]
    }
    let holder = Holder(
      names: Set((0..<9).map { "n\($0)" }),
      plains: Dictionary(uniqueKeysWithValues: (0..<3).map { ($0, Plain(text: "\($0)")) }))
    #expect(
      self.text(holder) == """
        Any(names: ["n0", "n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8"], plains: ["0": \
        Plain(text: "0"), "1": Plain(text: "1"), "2": Plain(text: "2")])
        """)
  }

  @Test func anErrorIsGivenThePathToWhatHasNoForm() throws {
    let coder = recordCoder(for: Box.self)
    let bytes = try coder.bytes(of: .full(Plain(text: "a"), label: "l"))
    let error = #expect(throws: RecordDecodingError.self) { try coder.value(of: bytes) }
    let located = bytes.withUnsafeBytes { bytes in
      error.map { coder.schema.located($0, in: bytes) }
    }
    #expect(located?.path == "full._0")
  }

  @Test func aTypeThatHasNoFormItself() throws {
    let coder = ValueCoder<Plain>()
    let found = coder.opaqueFields(of: Plain(text: "x"), bytes: [], schema: coder.schema)
    #expect(found.map(\.type) == ["Plain"])
    #expect(found.map { RecordPath($0.path).description } == [""])
  }
}
