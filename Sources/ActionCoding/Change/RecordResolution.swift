/// How values that were written under one schema are read as values of another, matched by name.
///
/// ```swift
/// let resolution = RecordResolution(from: written, to: coder.schema)
/// guard resolution.verdict(of: usage).level < .impossible else { … }
/// let bytes = try resolution.translate(old)      // as today's type would have written them
/// ```
///
/// - A new field is nil when it is optional, or else takes its default, where that is a literal. Other
///   defaults, as `UUID()`, would be another value in each replay.
/// - Fields may come in another order. One that is gone is left out, and the verdict is lossy.
/// - New cases of an enum do no harm. One that is gone can't be read, where a log has it.
/// - Numbers are read as any other type of number that they fit into.
/// - A value may have become optional, and an optional may have to be there: nil is an error then.
/// - Values that come with a case are matched by their labels; those without one by their place.
/// - What is only `Codable` is left to its own code, which matches by name as well.
/// - The name of a type does not matter, where it stands does. A ``RecordMigration`` tells of all other
///   changes.
public struct RecordResolution: Sendable {
  private let plan: RecordPlan

  /// - Parameters:
  ///   - written: The schema that stands in the log.
  ///   - current: That of the type in this program, with the defaults that only it knows.
  public init(
    from written: RecordSchema, to current: RecordSchema, migrations: [RecordMigration] = []
  ) {
    self.plan = RecordPlan(from: written, to: current, RecordMigrations(migrations))
  }

  /// Whether all bytes mean the same under both schemas.
  public var isIdentity: Bool { self.plan.nodes[0].isIdentical }

  /// Whether no value at all can be read.
  public var isImpossible: Bool { self.plan.nodes[0].isImpossible }

  /// The bytes that today's type would have written for the value that is all of `bytes`.
  ///
  /// Throws ``RecordDecodingError`` with the path in the value, in names of the recording.
  public func translate(
    _ bytes: UnsafeRawBufferPointer
  ) throws(RecordDecodingError) -> [UInt8] {
    var reader = RecordReader(bytes)
    let translated = try self.translate(from: &reader)
    try reader.finish()
    return translated
  }

  /// The bytes that today's type would have written for the value that is all of `bytes`.
  public func translate(_ bytes: [UInt8]) throws(RecordDecodingError) -> [UInt8] {
    try bytes.span.withUnsafeBytes { (buffer) throws(RecordDecodingError) in
      try self.translate(buffer)
    }
  }

  /// The same for the value at the reader's position, behind which the reader is then.
  public func translate(
    from reader: inout RecordReader
  ) throws(RecordDecodingError) -> [UInt8] {
    try RecordTranslator.translate(self.plan, from: &reader)
  }

  /// What the change of the types does to values, without looking at them.
  ///
  /// - Parameter usage: What the values at hand are made of: changes elsewhere are left out.
  public func verdict(of usage: RecordUsage? = nil) -> RecordVerdict {
    var walk = RecordVerdictWalk(self.plan, usage)
    return walk.verdict()
  }
}

// MARK: - Reasons

extension RecordResolution {
  /// What a migration may have to rename.
  enum Renaming { case field, enumerationCase }

  /// What to do about a change, as the end of a message.
  static func advice(renaming: Renaming?) -> String {
    switch renaming {
    case .field: "Give it a literal default, or register a migration: renamedField or rewriting."
    case .enumerationCase: "Register a migration: renamedCase or rewriting."
    case nil: "Register a migration: rewriting."
    }
  }

  static func reasonForMissing(
    _ field: RecordSchema.Field, of type: String, in schema: RecordSchema
  ) -> String {
    let name = type.isEmpty ? "" : " of '\(type)'"
    return """
      The field '\(field.name)'\(name) is not in the recording, and has no default that is a \
      literal. \(self.advice(renaming: .field))
      """
  }

  static func reasonForCase(_ name: String, of type: String) -> String {
    "'\(type)' has no case '\(name)' any more. \(self.advice(renaming: .enumerationCase))"
  }

  static func reasonForNil(_ schema: RecordSchema, _ type: RecordSchema.TypeIndex) -> String {
    """
    It is nil in the recording, and of type '\(schema.spelling(of: type))' now. \
    \(self.advice(renaming: nil))
    """
  }

  static func reasonForMismatch(_ written: String, _ current: String) -> String {
    """
    It is of type '\(current)', and was '\(written)' in the recording. \
    \(self.advice(renaming: nil))
    """
  }

  static func reasonForMismatch(_ value: RecordValue, _ current: String) -> String {
    if case .null = value {
      return """
        It is nil in the recording, and of type '\(current)' now. \(self.advice(renaming: nil))
        """
    }
    return """
      It is of type '\(current)', and the value is \(value.kindDescription): \
      \(value.text(limit: 100)). \(self.advice(renaming: nil))
      """
  }
}
