// A `let` with a default value is in the record, but nothing can be assigned to it: it is read past,
// and compared by its bytes.

extension RecordReader {
  /// Reads past a constant that its type's own code wrote, and throws when it had another value.
  @inlinable
  public mutating func check<T: Recordable>(
    _ constant: RecordField<T>, _ name: StaticString
  ) throws(RecordDecodingError) {
    let from = cursor
    _ = try T(from: &self)
    try compare(from: from, name) { (writer) throws(RecordOverflow) in try writer.put(constant) }
  }

  /// Reads past a constant that the Codable bridge wrote, and throws when it had another value.
  @_disfavoredOverload
  @inlinable
  public mutating func check<T: Codable & SendableMetatype>(
    _ constant: RecordField<T>, _ name: StaticString
  ) throws(RecordDecodingError) {
    let from = cursor
    _ = try getCounted()
    try compare(from: from, name) { (writer) throws(RecordOverflow) in try writer.put(constant) }
  }

  /// Reads past an optional constant, and throws when it had another value.
  @_disfavoredOverload
  @inlinable
  public mutating func check<T: Codable & SendableMetatype>(
    _ constant: RecordField<T?>, _ name: StaticString
  ) throws(RecordDecodingError) {
    let from = cursor
    if try Bool(from: &self) { _ = try getCounted() }
    try compare(from: from, name) { (writer) throws(RecordOverflow) in try writer.put(constant) }
  }

  /// Does nothing: the constant is of a type that has no form in bytes, and has its value.
  @_disfavoredOverload
  @inlinable
  public mutating func check<T>(
    _ constant: RecordField<T>, _ name: StaticString
  ) throws(RecordDecodingError) {}

  /// Reads past a constant of a generic type, and throws when it had another value.
  @inlinable
  public mutating func check<T: Recordable>(
    generic constant: RecordField<T>, _ name: StaticString
  ) throws(RecordDecodingError) {
    try check(constant, name)
  }

  /// Reads past a constant of a generic type that the Codable bridge wrote.
  @_disfavoredOverload
  @inlinable
  public mutating func check<T: Codable>(
    generic constant: RecordField<T>, _ name: StaticString
  ) throws(RecordDecodingError) {
    let from = cursor
    _ = try getCounted()
    try compare(from: from, name) { (writer) throws(RecordOverflow) in
      try writer.put(generic: constant)
    }
  }

  /// Reads past an optional constant of a generic type.
  @_disfavoredOverload
  @inlinable
  public mutating func check<T: Codable>(
    generic constant: RecordField<T?>, _ name: StaticString
  ) throws(RecordDecodingError) {
    let from = cursor
    if try Bool(from: &self) { _ = try getCounted() }
    try compare(from: from, name) { (writer) throws(RecordOverflow) in
      try writer.put(generic: constant)
    }
  }

  /// Does nothing: the constant of a generic type has no form in bytes.
  @_disfavoredOverload
  @inlinable
  public mutating func check<T>(
    generic constant: RecordField<T>, _ name: StaticString
  ) throws(RecordDecodingError) {}

  /// Reads past what a constant error said.
  public mutating func check(
    _ constant: RecordField<any Error>, _ name: StaticString
  ) throws(RecordDecodingError) {
    _ = try getDescribed()
  }

  /// Reads past what a constant error said.
  public mutating func check(
    generic constant: RecordField<any Error>, _ name: StaticString
  ) throws(RecordDecodingError) {
    _ = try getDescribed()
  }

  @usableFromInline
  func compare(
    from: UnsafeRawPointer, _ name: StaticString,
    write: (inout RecordWriter) throws(RecordOverflow) -> Void
  ) throws(RecordDecodingError) {
    // What stands for a value that is not known has no say in a constant.
    guard placeholders == 0 else { return }
    let recorded = UnsafeRawBufferPointer(start: from, count: cursor - from)
    let same: Bool
    do throws(RecordOverflow) {
      same = try RecordWriter.bytes(writing: write).elementsEqual(recorded)
    } catch {
      throw self.error("The constant '\(name)' can't be written: \(error)")
    }
    guard same else {
      throw error(
        """
        The constant '\(name)' was recorded with another value than it has now. A 'let' with a \
        default value can't be restored: make it a 'var', or set it in the initializer.
        """)
    }
  }
}
