/// What a key resumes when it has loaded a value, exactly once.
///
/// One that is let go without having been resumed is an issue, and so is one that is resumed twice.
public struct LoadContinuation<Value>: Sendable {
  private let callback: OneShot<Result<Value?, any Error>>

  /// A continuation that calls back.
  ///
  /// - Parameters:
  ///   - description: What loads, for the texts of issues.
  ///   - callback: Called with the value, with `nil` for the default, or with an error.
  public init(
    _ description: @autoclosure @escaping @Sendable () -> String = "A shared key",
    callback: @escaping @Sendable (Result<Value?, any Error>) -> Void
  ) {
    self.callback = OneShot(description, whenLeaked: { .success(nil) }, callback)
  }

  /// Hands over the value.
  public func resume(returning value: Value) {
    resume(with: .success(value))
  }

  /// Hands over an error.
  public func resume(throwing error: any Error) {
    resume(with: .failure(error))
  }

  /// Says that there is no value yet, so that the default holds.
  public func resumeReturningInitialValue() {
    resume(with: .success(nil))
  }

  /// Hands over a value, `nil` for the default, or an error.
  public func resume(with result: Result<Value?, any Error>) {
    callback(result)
  }
}
