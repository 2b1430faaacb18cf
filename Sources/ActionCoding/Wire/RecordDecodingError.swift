/// Why bytes could not be read as a value.
///
/// One pointer wide, so that a reader that may throw costs no more than one that may not.
public struct RecordDecodingError: Error, Sendable {
  private final class Storage: Sendable {
    let message: String
    let offset: Int
    let path: String
    let isDropped: Bool
    init(message: String, offset: Int, path: String, isDropped: Bool) {
      self.message = message
      self.offset = offset
      self.path = path
      self.isDropped = isDropped
    }
  }

  private let storage: Storage

  /// What is wrong, in a sentence.
  public var message: String { storage.message }

  /// The place in the record's bytes where it was noticed, counted from 0.
  public var offset: Int { storage.offset }

  /// Where in the value that is, as `items[3].name`; empty for the value itself or when unknown.
  public var path: String { storage.path }

  /// Whether nothing is wrong with the bytes, and a migration drops the value: see
  /// ``RecordMigration/rewriting(_:_:)``.
  public var isDropped: Bool { storage.isDropped }

  public init(_ message: String, offset: Int, path: String = "") {
    storage = Storage(message: message, offset: offset, path: path, isDropped: false)
  }

  private init(_ storage: Storage) { self.storage = storage }

  package func at(path: String) -> Self {
    Self(Storage(message: message, offset: offset, path: path, isDropped: isDropped))
  }

  /// The error of a value that a migration drops.
  static func dropped(_ type: String) -> Self {
    Self(
      Storage(
        message: "A migration drops the value of '\(type)'.", offset: 0, path: "", isDropped: true))
  }

  /// The same error, seen from the value around: `step` leads to where it was, as `.name` or `[3]`.
  func inside(_ step: String) -> Self {
    let isStep = path.isEmpty || path.hasPrefix("[") || path.hasPrefix(".")
    return at(path: isStep ? step + path : "\(step).\(path)")
  }

  /// The same error with a path that begins at the root.
  var atRoot: Self { path.hasPrefix(".") ? at(path: String(path.dropFirst())) : self }

  /// The same error at a place in the bytes, where it has none.
  func at(offset: Int) -> Self {
    guard self.offset == 0 else { return self }
    return Self(
      Storage(message: message, offset: offset, path: path, isDropped: isDropped))
  }
}

extension RecordDecodingError: CustomStringConvertible {
  public var description: String {
    path.isEmpty ? "\(message) (byte \(offset))" : "\(path): \(message) (byte \(offset))"
  }
}
