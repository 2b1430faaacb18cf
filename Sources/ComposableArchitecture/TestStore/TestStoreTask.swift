internal import Dispatch

/// The effects that an action of a test started, and those that followed from them.
///
/// ```swift
/// let task = await store.send(.timerStarted)
/// await clock.advance(by: .seconds(1))
/// await store.receive(\.ticked) { $0.count = 1 }
/// await task.cancel()
/// ```
public struct TestStoreTask: Hashable, Sendable {
  private let task: StoreTask
  private let timeout: UInt64

  init(scope: EffectScope?, timeout: UInt64) {
    self.task = StoreTask(scope: scope)
    self.timeout = timeout
  }

  /// Cancels the effects, and waits until they have ended.
  public func cancel() async {
    self.task.cancel()
    await self.task.finish()
  }

  /// Waits until the effects have ended.
  ///
  /// - Parameter duration: How long at most. After it the effects are cancelled, and the test
  ///   fails.
  public func finish(
    timeout duration: Duration,
    fileID: StaticString = #fileID,
    file filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    await self.finish(
      timeout: duration.testNanoseconds, fileID: fileID, file: filePath, line: line,
      column: column)
  }

  /// Waits until the effects have ended.
  ///
  /// - Parameter nanoseconds: How long at most; as the test store says by default. After it the
  ///   effects are cancelled, and the test fails.
  public func finish(
    timeout nanoseconds: UInt64? = nil,
    fileID: StaticString = #fileID,
    file filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    let timeout = TestTimeout(nanoseconds, usual: self.timeout)
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    await Self.finish(self.task, timeout, place)
  }

  @MainActor
  private static func finish(
    _ task: StoreTask, _ timeout: TestTimeout, _ place: SourcePlace
  ) async {
    guard let scope = task.scope else { return }
    let hasEnded = await timeout.wait { !scope.isRunning }
    guard Task.isCancelled || !hasEnded else { return }
    scope.cancel()
    guard !hasEnded else { return }
    place.report(
      """
      Expected task to finish, but it is still in-flight\(timeout.description). …

      If its effects wait for a clock, advance the test's clock far enough before this, or give \
      the feature an immediate one. Where there is no clock to move, \(timeout.advice).
      """)
  }

  /// Whether the effects were cancelled.
  public var isCancelled: Bool {
    self.task.isCancelled
  }
}
