/// Why bytes could not be read as a value.
///
/// One pointer wide, so that a reader that may throw costs no more than one that may not.
public struct RecordDecodingError: Error, Sendable {
  private final class Storage: Sendable {
    let message: String
    let offset: Int
    let path: String
    init(message: String, offset: Int, path: String) {
      self.message = message
      self.offset = offset
      self.path = path
    }
  }

  private let storage: Storage

  /// What is wrong, in a sentence.
  public var message: String { storage.message }

  /// The place in the record's bytes where it was noticed, counted from 0.
  public var offset: Int { storage.offset }

  /// Where in the value that is, as `items[3].name`; empty for the value itself or when unknown.
  public var path: String { storage.path }

  public init(_ message: String, offset: Int, path: String = "") {
    storage = Storage(message: message, offset: offset, path: path)
  }

  package func at(path: String) -> Self {
    Self(message, offset: offset, path: path)
  }
}

extension RecordDecodingError: CustomStringConvertible {
  public var description: String {
    path.isEmpty ? "\(message) (byte \(offset))" : "\(path): \(message) (byte \(offset))"
  }
}
