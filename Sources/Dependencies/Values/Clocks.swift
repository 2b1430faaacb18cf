import Clocks

extension DependencyValues {
  /// A clock that runs on while the machine sleeps.
  public var continuousClock: any Clock<Duration> {
    get { ReadClocks.continuous.clock(self[ContinuousClockKey.self], isSetting: isSetting) }
    set { self[ContinuousClockKey.self] = newValue }
  }

  /// A clock that stands still while the machine sleeps.
  public var suspendingClock: any Clock<Duration> {
    get { ReadClocks.suspending.clock(self[SuspendingClockKey.self], isSetting: isSetting) }
    set { self[SuspendingClockKey.self] = newValue }
  }

  private enum ContinuousClockKey: DependencyKey, UnreadKey {
    static let liveValue: any Clock<Duration> = ContinuousClock()
    static let testValue: any Clock<Duration> = UnimplementedClock(
      ContinuousClock(), name: #"@Dependency(\.continuousClock)"#)
  }

  private enum SuspendingClockKey: DependencyKey, UnreadKey {
    static let liveValue: any Clock<Duration> = SuspendingClock()
    static let testValue: any Clock<Duration> = UnimplementedClock(
      SuspendingClock(), name: #"@Dependency(\.suspendingClock)"#)
  }
}
