internal import ActionCoding
internal import Clocks

/// Clocks for reducers, by the dependency that they are the value of.
struct ReadClocks: Sendable {
  static let continuous = Self("continuousClock")
  static let suspending = Self("suspendingClock")

  private let read: _ReadKey<Duration>

  private init(_ name: String) {
    self.read = _ReadKey(
      name, coder: recordCoder(for: Duration.self),
      placeholder: { .seconds(Int64(truncatingIfNeeded: Placeholders.next())) })
  }

  /// The clock itself, or one whose time is a read where a reducer asks that is recorded or played
  /// back.
  func clock(_ clock: any Clock<Duration>, isSetting: Bool) -> any Clock<Duration> {
    guard !isSetting, ReducerReads.ofUse != nil else { return clock }
    return self.readable(clock)
  }

  private func readable<C: Clock<Duration>>(_ clock: C) -> any Clock<Duration> {
    ReadClock(real: clock, read: self.read)
  }
}

/// A clock that sleeps as another one, and whose time is a read while a reducer runs.
///
/// An effect may capture it, where it is the other clock in all but its type.
struct ReadClock<Real: Clock<Duration>>: Clock {
  typealias Instant = Real.Instant

  let real: Real
  let read: _ReadKey<Duration>

  var now: Instant {
    guard ReducerReads.current != nil else { return self.real.now }
    let origin: Instant = origin(of: self.real)
    let offset: Duration = self.read.read { origin.duration(to: self.real.now) }
    return origin.advanced(by: offset)
  }

  var minimumResolution: Duration { self.real.minimumResolution }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try await self.real.sleep(until: deadline, tolerance: tolerance)
  }
}

/// A clock that stands for another one.
protocol ClockProxy {
  var realClock: any Clock<Duration> { get }
}

extension ReadClock: ClockProxy {
  var realClock: any Clock<Duration> { self.real }
}

/// The instant from which those of a clock are counted in a log.
private func origin<C: Clock<Duration>>(of clock: C) -> C.Instant {
  if let instants = C.Instant.self as? any InstantFromZero.Type,
    let zero = instants.zero as? C.Instant
  {
    return zero
  }
  if let epoch = ContinuousClock().systemEpoch as? C.Instant { return epoch }
  if let epoch = SuspendingClock().systemEpoch as? C.Instant { return epoch }
  // Any instant will do, as long as it is the same one for all instants of the type.
  let id = ObjectIdentifier(C.Instant.self)
  while true {
    if let known = origins[id] {
      return unsafeDowncast(known.takeUnretainedValue(), to: Origin<C.Instant>.self).instant
    }
    _ = origins.insert(Origin(ReducerReads.without { clock.now }), for: id)
  }
}

private let origins = TypeTable()

private final class Origin<Instant: Sendable>: Sendable {
  let instant: Instant
  init(_ instant: Instant) { self.instant = instant }
}
