/// Hands an operation the current dependencies, to be put in force again where they get lost:
/// in a closure that another thread or a queue runs later.
///
///     withEscapedDependencies { dependencies in
///       DispatchQueue.global().async {
///         dependencies.yield { model.refresh() }
///       }
///     }
public func withEscapedDependencies<R>(
  _ operation: (DependencyValues.Continuation) throws -> R
) rethrows -> R {
  try operation(DependencyValues.Continuation())
}

/// Hands an asynchronous operation the current dependencies, to be put in force again later.
public func withEscapedDependencies<R>(
  isolation: isolated (any Actor)? = #isolation,
  _ operation: (DependencyValues.Continuation) async throws -> R
) async rethrows -> R {
  try await operation(DependencyValues.Continuation())
}

extension DependencyValues {
  /// The dependencies at one moment.
  public struct Continuation: Sendable {
    // Captured now: a later override where it is used must not show through.
    private let dependencies: DependencyValues = .captured

    /// Runs an operation with the captured dependencies.
    public func yield<R>(_ operation: () throws -> R) rethrows -> R {
      try withDependencies {
        $0 = dependencies
      } operation: {
        try operation()
      }
    }

    /// Runs an asynchronous operation with the captured dependencies.
    public func yield<R>(
      isolation: isolated (any Actor)? = #isolation,
      _ operation: () async throws -> R
    ) async rethrows -> R {
      try await withDependencies {
        $0 = dependencies
      } operation: {
        try await operation()
      }
    }
  }
}
