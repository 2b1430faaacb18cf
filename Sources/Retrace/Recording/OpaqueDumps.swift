internal import ActionCoding
internal import Dependencies
internal import Sharing

/// A text in the place of a value that has no form in bytes.
struct OpaqueText: Equatable {
  /// Where the value stands in what was recorded; empty for the whole.
  var path: String
  var text: String

  /// The most that are written for one record, and read.
  static let countLimit = 64
}

extension RecordingGate {
  /// The texts that may be written of what has no form in bytes in a value.
  ///
  /// - Parameters:
  ///   - bytes: What the coder writes of the value.
  ///   - hidden: The paths of what is redacted in it.
  func dumps<Value>(
    of value: Value, _ coder: ValueCoder<Value>, _ schema: RecordSchema, bytes: [UInt8],
    hidden: [String] = []
  ) -> [OpaqueText] {
    guard let limit = self.dumpLimit else { return [] }
    // What values do while they are looked at is no doing of the reducer.
    return SharedCoding.without {
      ReducerReads.without {
        let fields = coder.opaqueFields(of: value, bytes: bytes, schema: schema)
        return fields.prefix(OpaqueText.countLimit).compactMap { field in
          let path = "\(RecordPath(field.path))"
          guard !hidden.contains(where: { path.hasPrefix($0) }) else { return nil }
          return OpaqueDump.text(
            of: field.value, at: field.path, type: field.type, redaction: self.redaction,
            byteLimit: limit
          ).map { OpaqueText(path: path, text: $0) }
        }
      }
    }
  }
}
