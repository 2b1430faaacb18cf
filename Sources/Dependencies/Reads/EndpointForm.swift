internal import ActionCoding

/// How the arguments and the result of an endpoint are written.
final class EndpointForm<Value>: Sendable {
  /// What is read; `nil` where arguments or result have no form in bytes.
  let key: EndpointKey<Value>?
  let arguments: [ArgumentCoder]

  init(_ name: String, labels: [String], arguments: [ArgumentCoder]) {
    self.arguments = arguments
    guard !arguments.contains(where: \.isOpaque) else {
      self.key = nil
      return
    }
    var schema: RecordSchema?
    if !arguments.isEmpty {
      schema = ArgumentsForm.$described.withValue(Array(zip(labels, arguments))) {
        RecordSchema(of: ArgumentsForm.self)
      }
    }
    self.key = EndpointKey(name, argumentsSchema: schema)
  }

  /// The arguments of a call, of the types that the form was made for.
  func written<each Argument>(_ arguments: repeat each Argument) -> _ReadArguments? {
    guard self.key?.takesArguments == true else { return nil }
    let coders: [ArgumentCoder] = self.arguments
    let result: Result<[UInt8], RecordOverflow>
    do throws(RecordOverflow) {
      let bytes: [UInt8] = try RecordWriter.bytes { (writer) throws(RecordOverflow) in
        var index = 0
        for argument in repeat each arguments {
          try coders[index].encode(argument, to: &writer)
          index += 1
        }
      }
      result = .success(bytes)
    } catch {
      result = .failure(error)
    }
    return _ReadArguments { (writer) throws(RecordOverflow) in
      let bytes: [UInt8] = try result.get()
      try bytes.span.bytes.withUnsafeBytes { (bytes) throws(RecordOverflow) in
        try writer.put(raw: bytes)
      }
    }
  }
}

/// How an argument is written.
class ArgumentCoder: @unchecked Sendable {
  // Subclasses hold nothing but coders.

  let isOpaque: Bool

  fileprivate init(isOpaque: Bool) {
    self.isOpaque = isOpaque
  }

  func type(in schema: inout RecordSchemaBuilder) -> RecordSchema.TypeIndex {
    preconditionFailure("Only typed coders are made.")
  }

  /// Writes an argument, which is of the coder's type.
  final func encode<Argument>(
    _ argument: Argument, to writer: inout RecordWriter
  ) throws(RecordOverflow) {
    try unsafeDowncast(self, to: TypedArgumentCoder<Argument>.self).coder
      .encode(argument, to: &writer)
  }
}

final class TypedArgumentCoder<Argument>: ArgumentCoder, @unchecked Sendable {
  fileprivate let coder: ValueCoder<Argument>

  init(_ type: Argument.Type) {
    self.coder = ValueCoder<Argument>()
    super.init(isOpaque: self.coder.kind == .opaque)
  }

  override func type(in schema: inout RecordSchemaBuilder) -> RecordSchema.TypeIndex {
    schema.type(resolving: Argument.self)
  }
}

/// An endpoint's result as something that is read.
final class EndpointKey<Value>: Sendable {
  private enum Kind: Sendable {
    case value(_ReadKey<Value>)
    /// It returns nothing: that it was called is all there is to write.
    case nothing(_ReadKey<NoValue>)
  }

  private let kind: Kind
  let takesArguments: Bool

  /// Fails where the values have no form in bytes.
  init?(_ name: String, argumentsSchema: RecordSchema?) {
    self.takesArguments = argumentsSchema != nil
    if Value.self == Void.self {
      self.kind = .nothing(
        _ReadKey(
          name, coder: recordCoder(for: NoValue.self), argumentsSchema: argumentsSchema))
      return
    }
    let coder = ValueCoder<Value>()
    guard coder.kind != .opaque else { return nil }
    self.kind = .value(_ReadKey(name, coder: coder, argumentsSchema: argumentsSchema))
  }

  func value(
    _ reads: ReducerReads, arguments: _ReadArguments?, live: () -> Value, standIn: () -> Value
  ) -> Value {
    switch self.kind {
    case .value(let key):
      return withoutActuallyEscaping(standIn) {
        reads.value(of: key, arguments: arguments, live: live, standIn: $0)
      }
    case .nothing(let key):
      var result: Value?
      _ = reads.value(
        of: key, arguments: arguments,
        live: {
          result = live()
          return NoValue()
        }, standIn: { NoValue() })
      return result ?? Self.nothing
    }
  }

  func value(
    _ reads: ReducerReads, arguments: _ReadArguments?, throwing live: () throws -> Value,
    standIn: () throws -> Value
  ) throws -> Value {
    switch self.kind {
    case .value(let key):
      return try reads.value(of: key, arguments: arguments, throwing: live, standIn: standIn)
    case .nothing(let key):
      _ = try reads.value(
        of: key, arguments: arguments,
        throwing: {
          _ = try live()
          return NoValue()
        },
        standIn: {
          _ = try standIn()
          return NoValue()
        })
      return Self.nothing
    }
  }

  /// The only value of the type that stands for none.
  private static var nothing: Value { unsafeBitCast((), to: Value.self) }
}

/// What is written of an endpoint that returns nothing.
@Recordable
struct NoValue: Sendable {}

/// Describes the arguments of an endpoint, one after the other; there are no values of it.
private struct ArgumentsForm: Recordable {
  /// Labels and types of the arguments that are being described.
  @TaskLocal static var described: [(label: String, coder: ArgumentCoder)] = []

  func encode(to writer: inout RecordWriter) throws(RecordOverflow) {}

  init(from reader: inout RecordReader) throws(RecordDecodingError) {
    throw reader.error("Arguments are compared, and never read.")
  }

  static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition {
    var fields: [RecordSchema.Field] = []
    for argument in self.described {
      let name: String = argument.label == "_" ? "_\(fields.count)" : argument.label
      fields.append(RecordSchema.Field(name, argument.coder.type(in: &schema)))
    }
    return .structure(name: "", fields: fields)
  }
}
