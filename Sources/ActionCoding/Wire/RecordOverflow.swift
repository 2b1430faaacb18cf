/// Why a value could not be written.
public enum RecordOverflow: Error, Hashable, Sendable {
  /// The writer's memory ended before the value did. With more memory it can be written.
  case space
  /// The value is nested deeper than ``RecordWriter/depthLimit``: it could not be read back.
  case depth
}

extension RecordOverflow: CustomStringConvertible {
  public var description: String {
    switch self {
    case .space: "The record does not fit into the memory that it is written to."
    case .depth:
      """
      The value is nested deeper than the \(RecordWriter.depthLimit) levels that a record may have.
      """
    }
  }
}
