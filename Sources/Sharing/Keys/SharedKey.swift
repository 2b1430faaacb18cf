/// A place outside the program that a shared value is loaded from and saved to.
public protocol SharedKey<Value>: SharedReaderKey {
  /// Saves the value and resumes the continuation, now or later, exactly once.
  ///
  /// Calls for one reference never overlap, and come in the order of the changes.
  ///
  /// - Parameters:
  ///   - value: The value to save.
  ///   - context: Whether the value was changed, or somebody asked for it to be saved.
  ///   - continuation: Resumed when the value is saved, or with the error that prevents it.
  func save(_ value: Value, context: SaveContext, continuation: SaveContinuation)
}

/// Why a value is saved.
public enum SaveContext: Hashable, Sendable {
  /// It was changed.
  case didSet
  /// The program asked for it, by `Shared.save()`.
  case userInitiated
}
