internal import ActionCoding

/// The one way by which values come into a log: what must not be in it is taken out here.
///
/// With a redaction, values are encoded in memory of their own first, since the log's is in a file
/// from the start.
struct RecordingGate: Sendable {
  let redaction: RecordRedaction?
  /// How many bytes a text may take that stands for a value which has no form in bytes; `nil` where
  /// there are none.
  let dumpLimit: Int?

  init(_ contents: RecordingContents) {
    self.redaction = contents.redaction
    self.dumpLimit = contents.opaqueTextBytes.map {
      min(max($0, 1), RecordingContents.opaqueTextByteLimit)
    }
  }

  /// A value on its way into the log.
  enum Passage {
    case whole([UInt8])
    case redacted([UInt8], paths: [String])
    /// Nothing of it may be written, for this reason.
    case withheld(String)
  }

  /// Whether everything goes through as it is, and nothing has to be added.
  var isOpen: Bool { self.redaction == nil && self.dumpLimit == nil }

  /// What of a value may be written.
  func pass(_ bytes: [UInt8], schema: RecordSchema) -> Passage {
    guard let redaction = self.redaction else { return .whole(bytes) }
    switch redaction.apply(to: bytes, schema: schema) {
    case .kept: return .whole(bytes)
    case .redacted(let bytes, let paths): return .redacted(bytes, paths: paths.map { "\($0)" })
    case .withheld(let reason): return .withheld(reason)
    }
  }

  /// What of a text of an error may be written.
  func pass(error text: String) -> String {
    guard self.redaction != nil else { return text }
    guard let bytes = try? RecordWriter.bytes(of: ErrorText(error: text)) else { return "redacted" }
    switch self.pass(bytes, schema: Self.errorSchema) {
    case .whole: return text
    case .redacted, .withheld: return "redacted"
    }
  }

  private static let errorSchema = RecordSchema(of: ErrorText.self)
}

@Recordable
private struct ErrorText {
  var error: String
}
