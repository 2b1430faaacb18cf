/// Which types and cases of a schema the values of a log really have.
///
/// What a log never uses may have changed in any way:
///
/// ```swift
/// var usage = RecordUsage(of: written)
/// for action in actions { try usage.note(action) }
/// let verdict = RecordResolution(from: written, to: current).verdict(of: usage)
/// ```
public struct RecordUsage: Sendable {
  public let schema: RecordSchema
  private var types: [Bool]
  private var absent: [Bool]
  private var present: [Bool]
  private var cases: Set<Case> = []

  private struct Case: Hashable {
    var type: RecordSchema.TypeIndex
    var index: UInt64
  }

  /// The usage of no values yet.
  public init(of schema: RecordSchema) {
    self.schema = schema
    self.types = Array(repeating: false, count: schema.types.count)
    self.absent = self.types
    self.present = self.types
  }

  /// Takes note of a value that is all of `bytes`.
  ///
  /// Throws ``RecordDecodingError`` where the bytes are no value of the schema.
  public mutating func note(_ bytes: UnsafeRawBufferPointer) throws(RecordDecodingError) {
    var reader = RecordReader(bytes)
    try self.note(from: &reader)
    try reader.finish()
  }

  /// Takes note of the value at the reader's position, and moves the reader behind it.
  public mutating func note(from reader: inout RecordReader) throws(RecordDecodingError) {
    var scanner = RecordScanner(self.schema, bytes: reader.remaining)
    scanner.usage = self
    // One owner at a time, so that nothing is copied.
    self = RecordUsage(of: .nothing)
    defer { if let usage = scanner.usage { self = usage } }
    try scanner.skip(0, &reader)
  }

  mutating func mark(_ type: RecordSchema.TypeIndex) { self.types[type] = true }

  mutating func mark(_ type: RecordSchema.TypeIndex, isPresent: Bool) {
    if isPresent { self.present[type] = true } else { self.absent[type] = true }
  }

  mutating func mark(_ type: RecordSchema.TypeIndex, case index: UInt64) {
    self.cases.insert(Case(type: type, index: index))
  }

  func uses(_ type: RecordSchema.TypeIndex) -> Bool { self.types[type] }

  func uses(_ type: RecordSchema.TypeIndex, case index: UInt64) -> Bool {
    self.cases.contains(Case(type: type, index: index))
  }

  /// Whether a value of an optional type was there, or was absent; of a collection, whether it had
  /// elements, or had none.
  func uses(_ type: RecordSchema.TypeIndex, isPresent: Bool) -> Bool {
    isPresent ? self.present[type] : self.absent[type]
  }
}

extension RecordSchema {
  fileprivate static let nothing = RecordSchema(types: [.structure(name: "", fields: [])])
}
