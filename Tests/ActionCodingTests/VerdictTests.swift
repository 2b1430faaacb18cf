import ActionCoding
import Testing

private enum Then {
  @Recordable enum Action {
    case a(Int), gone(String), narrowed([Int]), lost(Row), unwrapped(Int?), opaque(Codable1)
    case row(Row?)
  }
  @Recordable struct Row { var id: Int, note: String }
  struct Codable1: Codable {}
}

private enum Now {
  @Recordable enum Action {
    case a(Int), narrowed([Int8]), lost(Row), unwrapped(Int), opaque(Neither)
    case row(Row?)
    case added
  }
  @Recordable struct Row { var id: Int, title: String }
}

private enum Lossy {
  @Recordable struct Row { var id: Int }
}

struct VerdictTests {
  private let resolution = RecordResolution(
    from: RecordSchema(of: Then.Action.self), to: RecordSchema(of: Now.Action.self))

  private func lines(_ verdict: RecordVerdict) -> [String] {
    verdict.findings.map { "\($0.kind) \($0.path)" }
  }

  private func verdict(_ actions: [Then.Action]) throws -> RecordVerdict {
    var usage = RecordUsage(of: RecordSchema(of: Then.Action.self))
    for action in actions {
      try RecordWriter.bytes(of: action).withUnsafeBytes { try usage.note($0) }
    }
    return self.resolution.verdict(of: usage)
  }

  @Test func withoutAUsageEveryChangeCounts() {
    let verdict = self.resolution.verdict()
    #expect(verdict.level == .impossible)
    #expect(
      self.lines(verdict) == [
        "impossible gone", "checked narrowed._0[]", "impossible lost._0.title",
        "lossy lost._0.note",
        "checked unwrapped._0", "impossible opaque._0",
      ])
    #expect(
      verdict.findings.map(\.reason) == [
        """
        'Now.Action' has no case 'gone' any more. Register a migration: renamedCase or rewriting.
        """,
        "It is of type 'Int8', and not every 'Int' of the recording fits.",
        """
        The field 'title' of 'Now.Row' is not in the recording, and has no default that is a \
        literal. Give it a literal default, or register a migration: renamedField or rewriting.
        """,
        "The recording has it, and today's type does not.",
        "It is of type 'Int', and may be nil in the recording.",
        """
        A value of 'Neither' can't be read from a record any more: The type is neither Recordable \
        nor Codable.
        """,
      ])
    #expect(
      "\(verdict.findings[3])" == "lost._0.note: The recording has it, and today's type does not.")
  }

  @Test func aUsageLeavesOutWhatALogDoesNotHave() throws {
    #expect(try self.verdict([]).level == .fine)
    #expect(try self.verdict([.a(1), .row(nil), .narrowed([])]).findings == [])
    #expect(try self.lines(self.verdict([.gone("x")])) == ["impossible gone"])
    #expect(
      try self.lines(self.verdict([.row(.init(id: 1, note: ""))]))
        == ["impossible row._0.title", "lossy row._0.note"])
    #expect(try self.lines(self.verdict([.unwrapped(nil)])) == ["checked unwrapped._0"])
    #expect(try self.verdict([.unwrapped(nil)]).level == .fine)
  }

  @Test func aFieldThatIsLeftOutIsALoss() {
    let verdict = RecordResolution(
      from: RecordSchema(of: Then.Row.self), to: RecordSchema(of: Lossy.Row.self)
    ).verdict()
    #expect(verdict.level == .lossy)
    #expect(self.lines(verdict) == ["lossy note"])
  }

  @Test func aMigrationChecksEachValue() {
    let verdict = RecordResolution(
      from: RecordSchema(of: Then.Row.self), to: RecordSchema(of: Now.Row.self),
      migrations: [.rewriting("Then.Row") { $0 }]
    ).verdict()
    #expect(
      verdict.findings
        == [.init(.checked, path: "", reason: "A migration rewrites the values of 'Then.Row'.")])
  }

  @Test func aUsageNotesOnlyValuesOfItsSchema() throws {
    var usage = RecordUsage(of: RecordSchema(of: Then.Action.self))
    for bytes in [[], [99], [0], [2, 200], [0, 2, 0]] as [[UInt8]] {
      #expect(throws: RecordDecodingError.self) { try bytes.withUnsafeBytes { try usage.note($0) } }
    }
    // What was seen before an error is still known.
    try RecordWriter.bytes(of: Then.Action.gone("")).withUnsafeBytes { try usage.note($0) }
    #expect(self.resolution.verdict(of: usage).level == .impossible)
  }
}
