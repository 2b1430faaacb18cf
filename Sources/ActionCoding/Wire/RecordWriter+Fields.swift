// The choice of a field's coder, made by overload resolution where its type is known. Writer, reader
// and schema have the same overloads, so that the choice is the same everywhere.
//
// A `Codable` conformance that belongs to an actor can't be used by code that belongs to none, which
// is what `SendableMetatype` excludes: such a field is opaque. Of a generic parameter it would
// exclude too much, so that generic types ask with the label `generic`.

extension RecordWriter {
  /// Writes a field by its type's own code.
  @inlinable
  @inline(__always)
  public mutating func put<T: Recordable>(_ field: RecordField<T>) throws(RecordOverflow) {
    try field.value.encode(to: &self)
  }

  /// Writes a field through the Codable bridge.
  @_disfavoredOverload
  @inlinable
  @inline(__always)
  public mutating func put<T: Codable & SendableMetatype>(
    _ field: RecordField<T>
  ) throws(RecordOverflow) {
    try putBridged(field.value)
  }

  /// Writes an optional field: whether it is there, and its content through the Codable bridge.
  @_disfavoredOverload
  @inlinable
  @inline(__always)
  public mutating func put<T: Codable & SendableMetatype>(
    _ field: RecordField<T?>
  ) throws(RecordOverflow) {
    try put(optional: field)
  }

  /// Writes nothing: the field is of a type that has no form in bytes, and the schema says so.
  @_disfavoredOverload
  @inlinable
  @inline(__always)
  public mutating func put<T>(_ field: RecordField<T>) throws(RecordOverflow) {
    noteOpaque(field.value)
  }

  /// Writes of an error, which can't be read back, its type and what it says.
  public mutating func put(_ field: RecordField<any Error>) throws(RecordOverflow) {
    try putDescribed(field.value)
  }

  /// Writes of an error, which can't be read back, its type and what it says.
  public mutating func put(generic field: RecordField<any Error>) throws(RecordOverflow) {
    try putDescribed(field.value)
  }

  /// Writes a field of a generic type by its type's own code.
  @inlinable
  @inline(__always)
  public mutating func put<T: Recordable>(
    generic field: RecordField<T>
  ) throws(RecordOverflow) {
    try field.value.encode(to: &self)
  }

  /// Writes a field of a generic type through the Codable bridge.
  @_disfavoredOverload
  @inlinable
  @inline(__always)
  public mutating func put<T: Codable>(generic field: RecordField<T>) throws(RecordOverflow) {
    try putBridged(field.value)
  }

  /// Writes an optional field of a generic type.
  @_disfavoredOverload
  @inlinable
  @inline(__always)
  public mutating func put<T: Codable>(generic field: RecordField<T?>) throws(RecordOverflow) {
    try put(optional: field)
  }

  /// Writes nothing: the field of a generic type is of a type that has no form in bytes.
  @_disfavoredOverload
  @inlinable
  @inline(__always)
  public mutating func put<T>(generic field: RecordField<T>) throws(RecordOverflow) {
    noteOpaque(field.value)
  }

  @inlinable
  mutating func put<T: Codable>(optional field: RecordField<T?>) throws(RecordOverflow) {
    guard let value = field.value else {
      try put(byte: 0)
      return
    }
    try put(byte: 1)
    try putBridged(value)
  }
}
