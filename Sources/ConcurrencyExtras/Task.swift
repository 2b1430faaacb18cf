extension Task where Success == Never, Failure == Never {
  /// Lets every other task run, by yielding many times.
  ///
  /// For tests that wait for work which they can't await. 20 yields by default;
  /// the environment's `TASK_MEGA_YIELD_COUNT` changes that.
  public static func megaYield(count: Int = _defaultMegaYieldCount) async {
    for _ in 0..<max(0, min(count, 10_000)) {
      await Task<Void, Never>.detached(priority: .background) { await Task.yield() }.value
    }
  }

  /// Waits until the task is cancelled, and throws `CancellationError` then.
  public static func never() async throws -> Never {
    for await element in AsyncStream<Never>.never {
      switch element {}
    }
    throw _Concurrency.CancellationError()
  }
}

extension Task where Failure == Never {
  /// The task's value; cancelling the task that waits cancels this one.
  public var cancellableValue: Success {
    get async {
      await withTaskCancellationHandler {
        await value
      } onCancel: {
        cancel()
      }
    }
  }
}

extension Task where Failure == any Error {
  /// The task's value; cancelling the task that waits cancels this one.
  public var cancellableValue: Success {
    get async throws {
      try await withTaskCancellationHandler {
        try await value
      } onCancel: {
        cancel()
      }
    }
  }
}
