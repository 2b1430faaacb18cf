/// Whom a key tells of changes that others make.
public struct SharedSubscriber<Value>: Sendable {
  private let callback: @Sendable (Result<Value?, any Error>) -> Void
  private let onLoading: @Sendable (Bool) -> Void

  /// A subscriber that calls back.
  ///
  /// - Parameters:
  ///   - callback: Called with each new value, with `nil` for the default, or with an error.
  ///   - onLoading: Called as loading begins and ends.
  public init(
    callback: @escaping @Sendable (Result<Value?, any Error>) -> Void,
    onLoading: @escaping @Sendable (Bool) -> Void = { _ in }
  ) {
    self.callback = callback
    self.onLoading = onLoading
  }

  /// Hands over a new value.
  public func yield(_ value: Value) {
    yield(with: .success(value))
  }

  /// Hands over an error.
  public func yield(throwing error: any Error) {
    yield(with: .failure(error))
  }

  /// Says that there is no value any more, so that the default holds.
  public func yieldReturningInitialValue() {
    yield(with: .success(nil))
  }

  /// Says that loading begins or ends.
  public func yieldLoading(_ isLoading: Bool = true) {
    onLoading(isLoading)
  }

  /// Hands over a new value, `nil` for the default, or an error.
  public func yield(with result: Result<Value?, any Error>) {
    callback(result)
  }
}
