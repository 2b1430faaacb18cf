// The choice of a field's coder, the counterpart of the writer's.

extension RecordReader {
  /// Reads a field by its type's own code.
  @inlinable
  @inline(__always)
  public mutating func get<T: Recordable>(
    _ type: RecordFieldType<T>
  ) throws(RecordDecodingError) -> T {
    try T(from: &self)
  }

  /// Reads a field through the Codable bridge.
  @_disfavoredOverload
  @inlinable
  @inline(__always)
  public mutating func get<T: Codable & SendableMetatype>(
    _ type: RecordFieldType<T>
  ) throws(RecordDecodingError) -> T {
    try getBridged(T.self)
  }

  /// Reads an optional field: whether it is there, and its content through the Codable bridge.
  @_disfavoredOverload
  @inlinable
  @inline(__always)
  public mutating func get<T: Codable & SendableMetatype>(
    _ type: RecordFieldType<T?>
  ) throws(RecordDecodingError) -> T? {
    try Bool(from: &self) ? try getBridged(T.self) : nil
  }

  /// Always throws: the field is of a type that has no form in bytes.
  @_disfavoredOverload
  @inlinable
  @inline(__always)
  public mutating func get<T>(_ type: RecordFieldType<T>) throws(RecordDecodingError) -> T {
    throw opaque(T.self)
  }

  /// Reads what a record has of an error: its type and what it says.
  public mutating func get(
    _ type: RecordFieldType<any Error>
  ) throws(RecordDecodingError) -> any Error {
    try getDescribed()
  }

  /// Reads what a record has of an error: its type and what it says.
  public mutating func get(
    generic type: RecordFieldType<any Error>
  ) throws(RecordDecodingError) -> any Error {
    try getDescribed()
  }

  /// Reads a `Result` whose two sides are read by what is given.
  @inlinable
  @inline(__always)
  public mutating func getResult<Success, Failure>(
    _ type: RecordFieldType<Result<Success, Failure>>,
    success: (inout RecordReader) throws(RecordDecodingError) -> Success,
    failure: (inout RecordReader) throws(RecordDecodingError) -> Failure
  ) throws(RecordDecodingError) -> Result<Success, Failure> {
    switch try getCase() {
    case 0: return .success(try success(&self))
    case 1: return .failure(try failure(&self))
    case let other: throw unknownCase(other, of: "Result")
    }
  }

  /// Reads a field of a generic type by its type's own code.
  @inlinable
  @inline(__always)
  public mutating func get<T: Recordable>(
    generic type: RecordFieldType<T>
  ) throws(RecordDecodingError) -> T {
    try T(from: &self)
  }

  /// Reads a field of a generic type through the Codable bridge.
  @_disfavoredOverload
  @inlinable
  @inline(__always)
  public mutating func get<T: Codable>(
    generic type: RecordFieldType<T>
  ) throws(RecordDecodingError) -> T {
    try getBridged(T.self)
  }

  /// Reads an optional field of a generic type.
  @_disfavoredOverload
  @inlinable
  @inline(__always)
  public mutating func get<T: Codable>(
    generic type: RecordFieldType<T?>
  ) throws(RecordDecodingError) -> T? {
    try Bool(from: &self) ? try getBridged(T.self) : nil
  }

  /// Always throws: the field of a generic type is of a type that has no form in bytes.
  @_disfavoredOverload
  @inlinable
  @inline(__always)
  public mutating func get<T>(
    generic type: RecordFieldType<T>
  ) throws(RecordDecodingError) -> T {
    throw opaque(T.self)
  }

  @usableFromInline
  func opaque<T>(_ type: T.Type) -> RecordDecodingError {
    let reason = RecordSchema.reasonForOpaque(type)
    return error("A value of '\(recordedName(of: type))' is not in the record: \(reason)")
  }
}
