public import ActionCoding

/// Something that reducers read from outside, as a recording knows it: by a name and the form of its
/// values.
///
/// Keep one for each thing that is read: a recording finds what it knows of a key by the key's
/// identity.
public final class _ReadKey<Value>: Sendable {
  /// What tells it from all others in a log, as `date` or `FactClient.count`.
  public let name: String
  /// How its values are written.
  public let coder: ValueCoder<Value>
  /// How its arguments are written, where it takes some; see ``_ReadArguments``.
  public let argumentsSchema: RecordSchema?
  /// What a reducer is given where a replay has no value for it.
  ///
  /// The replay differs from the recording by then: this only lets the reducer return. It must
  /// not be the same value each time where a reducer may try until it gets another one.
  let placeholder: (@Sendable () -> Value)?

  public init(
    _ name: String, coder: ValueCoder<Value>, argumentsSchema: RecordSchema? = nil,
    placeholder: (@Sendable () -> Value)? = nil
  ) {
    self.name = name
    self.coder = coder
    self.argumentsSchema = argumentsSchema
    self.placeholder = placeholder
  }
}

/// What a reducer asked with: the arguments of one call, to be written down and compared.
public struct _ReadArguments {
  /// Writes them, in the form that the key's `argumentsSchema` describes.
  public let write: (inout RecordWriter) throws(RecordOverflow) -> Void

  public init(write: @escaping (inout RecordWriter) throws(RecordOverflow) -> Void) {
    self.write = write
  }
}

/// Why a read that can throw has no value in a replay.
public struct _ReadFailure: Error, CustomStringConvertible, Sendable {
  /// The type of the error that was thrown while it was recorded; empty where a replay has nothing
  /// recorded for this read.
  public var type: String
  /// What the error said of itself.
  public var description: String

  public init(type: String, description: String) {
    self.type = type
    self.description = description
  }
}

extension _ReadKey {
  /// The value for the reducer that runs on this thread: what `live` gives, and written down, while
  /// one records; what was written down where it is replayed.
  ///
  /// Where no reducer runs, or nobody records it, this is `live()` and costs a nanosecond or two.
  @inline(__always)
  public func read(_ live: () -> Value) -> Value {
    guard let reads = ReducerReads.current else { return live() }
    return reads.value(of: self, arguments: nil, live: live, standIn: self.placeholder)
  }

  /// The same for something that is asked with arguments.
  @inline(__always)
  public func read(_ arguments: @autoclosure () -> _ReadArguments, live: () -> Value) -> Value {
    guard let reads = ReducerReads.current else { return live() }
    return reads.value(of: self, arguments: arguments(), live: live, standIn: self.placeholder)
  }

  /// The same for something that can throw.
  ///
  /// - Throws: What `live` throws; in a replay a `RecordedError` that tells of it.
  @inline(__always)
  public func read(
    _ arguments: @autoclosure () -> _ReadArguments?, throwing live: () throws -> Value
  ) throws -> Value {
    guard let reads = ReducerReads.current else { return try live() }
    let arguments: _ReadArguments? = arguments()
    return try reads.value(of: self, arguments: arguments, throwing: live) {
      throw _ReadFailure(
        type: "", description: "The recording has no value of '\(self.name)' here.")
    }
  }
}
