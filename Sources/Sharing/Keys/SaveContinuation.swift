/// What a key resumes when it has saved a value, exactly once.
///
/// One that is let go without having been resumed is an issue, and so is one that is resumed twice.
public struct SaveContinuation: Sendable {
  private let callback: OneShot<Result<Void, any Error>>

  /// A continuation that calls back.
  ///
  /// - Parameters:
  ///   - description: What saves, for the texts of issues.
  ///   - callback: Called once the value is saved, or with an error.
  public init(
    _ description: @autoclosure @escaping @Sendable () -> String = "A shared key",
    callback: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) {
    self.callback = OneShot(description, whenLeaked: { .success(()) }, callback)
  }

  /// Says that the value is saved.
  public func resume() {
    resume(with: .success(()))
  }

  /// Says why the value can't be saved.
  public func resume(throwing error: any Error) {
    resume(with: .failure(error))
  }

  /// Says that the value is saved, or why not.
  public func resume(with result: Result<Void, any Error>) {
    callback(result)
  }
}
