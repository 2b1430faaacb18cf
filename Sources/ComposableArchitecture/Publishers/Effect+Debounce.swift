internal import IssueReporting

extension Effect {
  /// An effect that waits before it runs, and that another one of the same id takes the place of
  /// meanwhile.
  ///
  /// ```swift
  /// case .queryChanged(let query):
  ///   return .run { send in await send(.results(client.search(query))) }
  ///     .debounce(id: CancelID.search, for: .milliseconds(300), scheduler: clock)
  /// ```
  ///
  /// - Parameters:
  ///   - id: What the effect is known by, also to ``cancel(id:)``.
  ///   - dueTime: How long it waits.
  ///   - clock: What it waits by.
  ///   - options: Always `nil`: clocks have no options.
  public func debounce(
    id: some Hashable & Sendable,
    for dueTime: Duration,
    scheduler clock: some Clock<Duration>,
    options: Never? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Self {
    let operation = self.operation
    if case .none = operation { return .none }
    let run = operation.gathered(fileID: fileID, line: line) { send in
      do {
        try await clock.sleep(for: dueTime)
      } catch is CancellationError {
        return nil
      } catch {
        reportIssue(error, fileID: fileID, filePath: filePath, line: line, column: column)
        return error
      }
      return Task.isCancelled ? nil : await operation.perform(send)
    }
    return Self(operation: .run(run)).cancellable(id: id, cancelInFlight: true)
  }

  /// An effect that waits before it runs, and that another one of the same id takes the place of
  /// meanwhile.
  ///
  /// - Parameters:
  ///   - id: What the effect is known by, also to ``cancel(id:)``.
  ///   - dueTime: How long it waits.
  ///   - clock: What it waits by.
  public func debounce(
    id: some Hashable & Sendable,
    for dueTime: Duration,
    clock: some Clock<Duration>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Self {
    self.debounce(
      id: id, for: dueTime, scheduler: clock, fileID: fileID, filePath: filePath, line: line,
      column: column)
  }
}

extension EffectOperation {
  /// One piece of work in place of this whole operation: with its name, priority and place where it
  /// is a single one itself, else with the place that is given.
  func gathered(
    fileID: StaticString, line: UInt,
    _ body: @escaping @MainActor @Sendable (_ send: Send<Action>) async -> (any Error)?
  ) -> EffectRun<Action> {
    guard case .run(let run) = self else {
      return EffectRun(name: nil, priority: nil, fileID: fileID, line: line, body: body)
    }
    return EffectRun(
      name: run.name, priority: run.priority, fileID: run.fileID, line: run.line, body: body)
  }
}
