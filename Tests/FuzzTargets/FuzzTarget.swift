/// A decoder that is fed bytes which no program of ours wrote.
///
/// Whatever they are, it must end, in bounded memory, with a value or an error. What it must not
/// do beyond that is a `Finding`.
package enum FuzzTarget: String, CaseIterable, Sendable {
  /// A segment: headers, blocks, index.
  case segment
  /// A block behind a right header: codec, columns, varints.
  case block
  /// A tail's frames, and the live file.
  case record
  /// A schema's bytes.
  case schema
  /// A value's bytes by a schema, known or from the same input.
  case value

  /// Something that a decoder must not do.
  package struct Finding: Error, CustomStringConvertible {
    package var description: String
  }

  /// The largest input that is of use.
  package static let maximumInput = 64 << 10

  /// Decodes an input.
  package func run(_ input: [UInt8]) throws(Finding) {
    switch self {
    case .segment: try fuzzSegment(input)
    case .block: try fuzzBlock(input)
    case .record: try fuzzRecords(input)
    case .schema: try fuzzSchema(input)
    case .value: try fuzzValue(input)
    }
  }
}
