internal import Synchronization

/// The trackers of the running task.
enum SharedTrackers {
  /// Those that note changes.
  @TaskLocal static var tracking: [SharedChangeTracker] = []

  /// What is read is what is expected, or what is there.
  enum Side: Sendable {
    case expected(SharedChangeTracker)
    case actual(SharedChangeTracker)
  }

  /// The tracker whose changes are being asserted, and the side that reads see.
  @TaskLocal static var side: Side?

  private static let alive = Atomic<Int>(0)

  /// Whether there is any tracker, so that the task-locals are worth looking at.
  @inline(__always)
  static var isAnyAlive: Bool { alive.load(ordering: .relaxed) != 0 }

  static func didMake() { alive.wrappingAdd(1, ordering: .relaxed) }
  static func didEnd() { alive.wrappingSubtract(1, ordering: .relaxed) }

  /// The tracker whose changes are being asserted.
  static var asserting: SharedChangeTracker? {
    guard case .expected(let tracker) = side else { return nil }
    return tracker
  }

  /// What a read gives while changes are asserted, `nil` for the value itself.
  static func assertedValue<Value>(of reference: RootReference<Value>) -> Value? {
    switch side {
    case nil: nil
    case .expected(let tracker): tracker.expectation(of: reference)
    case .actual(let tracker): tracker.outcome(of: reference)
    }
  }

  /// Runs something that sees what is there, and not what is expected.
  static func seeingActual<R>(_ body: () throws -> R) rethrows -> R {
    guard isAnyAlive, let tracker = asserting else { return try body() }
    return try $side.withValue(.actual(tracker), operation: body)
  }
}
