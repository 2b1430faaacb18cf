public import ActionCoding

// Of an error, whose type is not known, the encoded form has no more than what it says: a
// `RecordedError` is read in its place.

private enum TaskResultKey: CodingKey { case success, failure }

extension TaskResult: Encodable where Success: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: TaskResultKey.self)
    switch self {
    case .success(let value): try container.encode(value, forKey: .success)
    case .failure(let error): try container.encode(ErrorDescription(error), forKey: .failure)
    }
  }
}

extension TaskResult: Decodable where Success: Decodable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: TaskResultKey.self)
    guard container.contains(.failure) else {
      self = .success(try container.decode(Success.self, forKey: .success))
      return
    }
    let error = try container.decode(ErrorDescription.self, forKey: .failure)
    self = .failure(RecordedError(type: error.type, description: error.description))
  }
}

private struct ErrorDescription: Codable {
  var type: String
  var description: String

  init(_ error: any Error) {
    self.type = String(describing: Swift.type(of: error))
    self.description = String(describing: error)
  }
}

extension TaskResult: Recordable where Success: Recordable {
  public func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
    switch self {
    case .success(let value):
      try writer.put(byte: 0)
      try value.encode(to: &writer)
    case .failure(let error):
      try writer.put(byte: 1)
      try writer.put(RecordField<any Error>(error))
    }
  }

  public init(from reader: inout RecordReader) throws(RecordDecodingError) {
    switch try reader.getCase() {
    case 0: self = .success(try Success(from: &reader))
    case 1: self = .failure(try reader.get(RecordFieldType((any Error).self)))
    case let other: throw reader.unknownCase(other, of: "TaskResult")
    }
  }

  public static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition {
    .enumeration(
      name: "TaskResult",
      cases: [
        .init(index: 0, name: "success", fields: [.init("_0", schema.type(Success.self))]),
        .init(
          index: 1, name: "failure",
          fields: [.init("_0", schema.type(RecordFieldType((any Error).self)))]),
      ])
  }
}
