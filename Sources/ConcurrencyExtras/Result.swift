extension Result where Failure == any Error {
  /// The outcome of an asynchronous operation: its value or the error it threw.
  public init(
    catching body: () async throws -> Success,
    isolation: isolated (any Actor)? = #isolation
  ) async {
    do {
      self = .success(try await body())
    } catch {
      self = .failure(error)
    }
  }
}
