extension DependencyValues {
  /// Starts work whose outcome nobody waits for; in tests the work is waited for.
  ///
  ///     await fireAndForget { try await analytics.track("buttonTapped") }
  public var fireAndForget: FireAndForget {
    get { self[FireAndForgetKey.self] }
    set { self[FireAndForgetKey.self] = newValue }
  }

  private enum FireAndForgetKey: DependencyKey {
    static let liveValue = FireAndForget { name, priority, operation in
      Task(name: name, priority: priority) { try await operation() }
    }
    static let testValue = FireAndForget { _, _, operation in try? await operation() }
  }
}

/// Starts work whose outcome nobody waits for.
public struct FireAndForget: Sendable {
  /// What runs the work: its name, its priority and the work.
  public let operation:
    @Sendable (
      _ name: String?, _ priority: TaskPriority?,
      _ work: @Sendable @escaping () async throws -> Void
    ) async -> Void

  public init(
    _ operation:
      @escaping @Sendable (
        _ name: String?, _ priority: TaskPriority?,
        _ work: @Sendable @escaping () async throws -> Void
      ) async -> Void
  ) {
    self.operation = operation
  }

  public func callAsFunction(
    name: String? = nil,
    priority: TaskPriority? = nil,
    _ work: @Sendable @escaping () async throws -> Void
  ) async {
    await operation(name, priority, work)
  }
}
