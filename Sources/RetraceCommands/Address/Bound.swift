#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Where a listing begins or ends: an action's number or a time.
enum Bound: Hashable, Sendable {
  case position(Position)
  case time(LogTime)
  /// A time of day in seconds and microseconds since midnight, on the day the run began.
  case clock(microseconds: UInt64)
}

/// A text that is neither a number nor a time, as the end of a sentence.
struct BoundError: Error, Hashable, Sendable {
  var message: String

  static let grammar =
    "it is neither an action's number nor a time, as in '1200', '2026-07-28T09:30:00Z', "
    + "'2026-07-28 09:30' or '09:30:15'"
}

extension Bound {
  /// Reads `1200`, `end`, `-5`, a date, a date with a time, or a time of day.
  ///
  /// A time without a zone is in the zone of whoever asks.
  init(_ text: String) throws(BoundError) {
    var scanner = Scanner(text)
    // Before the address, which would take 09:30 for action 30 of run 9.
    if let clock = scanner.clock(), scanner.isAtEnd {
      self = .clock(microseconds: clock)
      return
    }
    if let address = try? Address(text) {
      guard address.stream == StreamReference() else {
        throw BoundError(
          message: address.stream.stream == nil
            ? BoundError.grammar : "the stream belongs into the address before it")
      }
      self = .position(address.position)
      return
    }
    scanner = Scanner(text)
    guard let day = scanner.day() else { throw BoundError(message: BoundError.grammar) }
    var clock: UInt64 = 0
    if scanner.take("T") || scanner.take("t") || scanner.take(" ") {
      guard let taken = scanner.clock() else { throw BoundError(message: BoundError.grammar) }
      clock = taken
    }
    guard let zone = scanner.zone(), scanner.isAtEnd else {
      throw BoundError(message: BoundError.grammar)
    }
    guard let time = Self.time(day: day, clock: clock, zone: zone) else {
      throw BoundError(message: "the time is before 1970, and no log is that old")
    }
    self = .time(time)
  }

  /// The time that a bound means for a run that began at `start`, or nil for a number.
  func time(runStart start: LogTime) -> LogTime? {
    switch self {
    case .position: return nil
    case .time(let time): return time
    case .clock(let clock):
      var seconds = time_t(start.microseconds / 1_000_000)
      var parts = tm()
      guard localtime_r(&seconds, &parts) != nil else { return nil }
      let day = Day(
        year: Int(parts.tm_year) + 1_900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday))
      return Self.time(day: day, clock: clock, zone: .local)
    }
  }

  fileprivate struct Day {
    var year: Int
    var month: Int
    var day: Int
  }

  fileprivate enum Zone {
    case local
    case offset(seconds: Int)
  }

  private static func time(day: Day, clock: UInt64, zone: Zone) -> LogTime? {
    var parts = tm()
    parts.tm_year = Int32(day.year - 1_900)
    parts.tm_mon = Int32(day.month - 1)
    parts.tm_mday = Int32(day.day)
    parts.tm_hour = Int32(clock / 3_600_000_000)
    parts.tm_min = Int32(clock / 60_000_000 % 60)
    parts.tm_sec = Int32(clock / 1_000_000 % 60)
    let seconds: Int
    switch zone {
    case .local:
      parts.tm_isdst = -1
      seconds = mktime(&parts)
    case .offset(let offset): seconds = timegm(&parts) - offset
    }
    guard seconds >= 0 else { return nil }
    return LogTime(UInt64(seconds) * 1_000_000 + clock % 1_000_000)
  }
}

/// Takes the parts of a date and a time from a text.
private struct Scanner {
  private var rest: Substring.UTF8View

  init(_ text: String) {
    rest = text[...].utf8
  }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func digits(_ count: Int) -> Int? {
    var number = 0
    for _ in 0..<count {
      guard let byte = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else {
        return nil
      }
      number = number * 10 + Int(byte - UInt8(ascii: "0"))
      rest.removeFirst()
    }
    return number
  }

  mutating func day() -> Bound.Day? {
    guard let year = digits(4), take("-"), let month = digits(2), take("-"), let day = digits(2),
      (1...12).contains(month), (1...31).contains(day)
    else { return nil }
    return Bound.Day(year: year, month: month, day: day)
  }

  /// `09:30`, `09:30:15`, `09:30:15.25`, in microseconds.
  mutating func clock() -> UInt64? {
    guard let hours = digits(2), take(":"), let minutes = digits(2), hours < 24, minutes < 60
    else { return nil }
    var total = UInt64(hours * 3_600 + minutes * 60) * 1_000_000
    guard take(":") else { return total }
    guard let seconds = digits(2), seconds < 60 else { return nil }
    total += UInt64(seconds) * 1_000_000
    guard take(".") else { return total }
    var unit: UInt64 = 100_000
    guard let first = digits(1) else { return nil }
    total += UInt64(first) * unit
    while let digit = digits(1) {
      unit /= 10
      total += UInt64(digit) * unit
    }
    return total
  }

  /// `Z`, `+02:00`, `-0530`, or nothing for the local zone.
  mutating func zone() -> Bound.Zone? {
    if isAtEnd { return .local }
    if take("Z") || take("z") { return .offset(seconds: 0) }
    let isWest: Bool = rest.first == UInt8(ascii: "-")
    guard take("+") || take("-"), let hours = digits(2), hours < 24 else { return nil }
    _ = take(":")
    guard let minutes = isAtEnd ? 0 : digits(2), minutes < 60 else { return nil }
    let seconds: Int = hours * 3_600 + minutes * 60
    return .offset(seconds: isWest ? -seconds : seconds)
  }
}
