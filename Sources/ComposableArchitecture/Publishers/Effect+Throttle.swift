extension Effect {
  /// An effect whose actions are sent no more often than once in an interval, whichever of the
  /// effects with the same id they come from.
  ///
  /// The first action is sent at once, and begins an interval. One of those that follow within it
  /// is sent at its end, and begins the next.
  ///
  /// ```swift
  /// case .scrolled(let offset):
  ///   return .send(.position(offset))
  ///     .throttle(id: CancelID.scroll, for: .seconds(1), scheduler: clock, latest: true)
  /// ```
  ///
  /// - Parameters:
  ///   - id: What the effect is known by, also to ``cancel(id:)``. A new effect cancels the one
  ///     before it.
  ///   - interval: How long nothing more is sent.
  ///   - clock: What time is told by.
  ///   - latest: Whether the last of the actions within the interval is sent, or the first.
  public func throttle(
    id: some Hashable & Sendable,
    for interval: Duration,
    scheduler clock: some Clock<Duration>,
    latest: Bool,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Self {
    let operation = self.operation
    if case .none = operation { return .none }
    let id = CancelID(id: id, path: currentNavigationPath())
    let run = operation.gathered(fileID: fileID, line: line) { send in
      await Throttle(id: id, interval: interval, clock: clock, latest: latest, send: send)
        .run(operation)
    }
    return Self(operation: .cancellable(id, cancelInFlight: true, .run(run)))
  }

  /// An effect whose actions are sent no more often than once in an interval.
  ///
  /// - Parameters:
  ///   - id: What the effect is known by, also to ``cancel(id:)``. A new effect cancels the one
  ///     before it.
  ///   - interval: How long nothing more is sent.
  ///   - clock: What time is told by.
  ///   - latest: Whether the last of the actions within the interval is sent, or the first.
  public func throttle(
    id: some Hashable & Sendable,
    for interval: Duration,
    clock: some Clock<Duration>,
    latest: Bool,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Self {
    self.throttle(
      id: id, for: interval, scheduler: clock, latest: latest, fileID: fileID, line: line)
  }
}
