import ActionCoding
import Testing

struct ChangePropertyTests {
  // The law of all changes: translating the bytes is changing the value.
  @Test(arguments: 0..<8) func translatingIsChangingByHand(seed: UInt64) throws {
    var random = Seeded(seed)
    for _ in 0..<150 {
      let type = RandomType.random(4, &random)
      let (changed, change) = type.changed(&random)
      let resolution = RecordResolution(from: type.schema, to: changed.schema)
      #expect(resolution.verdict().level < .impossible)
      var usage = RecordUsage(of: type.schema)
      for _ in 0..<4 {
        let value = type.value(&random)
        let bytes = try value.bytes(as: type.schema)
        try bytes.withUnsafeBytes { try usage.note($0) }
        // What a set reads has its elements in order.
        let read = try RecordValue(bytes, schema: type.schema)
        let expected = try change(read).bytes(as: changed.schema)
        let translated = try resolution.translate(bytes)
        guard translated == expected else {
          Issue.record("\(type) -> \(changed): \(read)")
          return
        }
        if resolution.isIdentity { #expect(translated == bytes) }
      }
      #expect(resolution.verdict(of: usage).level < .impossible)
    }
  }

  @Test func whatIsReadIsWrittenAsItWas() throws {
    var random = Seeded(99)
    for _ in 0..<500 {
      let type = RandomType.random(4, &random)
      let bytes = try type.value(&random).bytes(as: type.schema)
      let read = try RecordValue(bytes, schema: type.schema)
      #expect(try read.bytes(as: type.schema) == bytes)
    }
    for value in [Feature.Action.b(1, 2), .q(.success(()), x: .success((1, "s"))), .s(.init())] {
      let coder = recordCoder(for: Feature.Action.self)
      let bytes = try coder.bytes(of: value)
      #expect(try RecordValue(bytes, schema: coder.schema).bytes(as: coder.schema) == bytes)
    }
  }

  // Bytes and schemas may be anything.
  @Test func anyTwoSchemasAreComparedAndAnyBytesTranslated() {
    var random = Seeded(5)
    for _ in 0..<400 {
      let type = RandomType.random(3, &random)
      let other = RandomType.random(3, &random)
      let resolution = RecordResolution(from: type.schema, to: other.schema)
      _ = resolution.verdict()
      let noise = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
        UInt8.random(in: 0...20, using: &random)
      }
      guard let bytes = try? resolution.translate(noise) else { continue }
      #expect(throws: Never.self) { try RecordValue(bytes, schema: other.schema) }
    }
  }

  @Test func redactionKeepsWhatIsNotRedacted() throws {
    var random = Seeded(11)
    for _ in 0..<300 {
      let type = RandomType.random(4, &random)
      let bytes = try type.value(&random).bytes(as: type.schema)
      let value = try RecordValue(bytes, schema: type.schema)
      let redaction = RecordRedaction { _, type, _ in type == "String" ? .redact : .keep }
      switch redaction.apply(to: bytes, schema: type.schema) {
      case .kept: #expect(!value.hasText)
      case .redacted(let bytes, let paths):
        #expect(!paths.isEmpty)
        let rest = try RecordValue(bytes, schema: type.schema)
        for path in paths {
          // An element that was redacted may be the same as another one.
          if let found = try? rest.value(at: path) {
            #expect(found == .string("") || found == .null || "\(path)".contains("["))
          }
        }
      case .withheld(let reason): Issue.record("\(reason): \(value)")
      }
    }
  }
}

extension RecordValue {
  /// Whether there is a text in it, other than in the keys of its dictionaries.
  fileprivate var hasText: Bool {
    if case .string = self { return true }
    return self.children.contains { $0.value.hasText }
  }
}
