#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A time of a log in microseconds since 1970, and the forms it is shown and asked for in.
struct LogTime: Hashable, Sendable, Comparable {
  var microseconds: UInt64

  init(_ microseconds: UInt64) {
    self.microseconds = microseconds
  }

  static func < (a: LogTime, b: LogTime) -> Bool { a.microseconds < b.microseconds }

  /// `2026-07-28T09:30:00.123456Z`, for programs.
  var iso8601: String {
    let date: (year: Int, month: Int, day: Int) = Self.civil(
      days: Int(microseconds / 86_400_000_000))
    let inDay: UInt64 = microseconds % 86_400_000_000
    // From the year 10000 on, which a damaged time can be in, the year has more digits.
    guard date.year < 10_000 else {
      let day: String = Self.padded(date.month) + "-" + Self.padded(date.day)
      return "\(date.year)-\(day)T\(Self.clock(inDay, fraction: 6))Z"
    }
    return String(unsafeUninitializedCapacity: 27) { (text) -> Int in
      Self.put(UInt64(date.year), 4, at: 0, text)
      text[4] = UInt8(ascii: "-")
      Self.put(UInt64(date.month), 2, at: 5, text)
      text[7] = UInt8(ascii: "-")
      Self.put(UInt64(date.day), 2, at: 8, text)
      text[10] = UInt8(ascii: "T")
      Self.putClock(inDay, fraction: 6, at: 11, text)
      text[26] = UInt8(ascii: "Z")
      return 27
    }
  }

  /// `2026-07-28 11:30:00.123` in the zone of whoever looks.
  var local: String {
    guard let parts = localParts else { return iso8601 }
    let year: String = Self.padded(Int(parts.tm_year) + 1_900, 4)
    let day = "\(year)-\(Self.padded(Int(parts.tm_mon) + 1))-\(Self.padded(Int(parts.tm_mday)))"
    return "\(day) \(localClock)"
  }

  /// `11:30:00.123` in the zone of whoever looks.
  var localClock: String {
    guard let parts = localParts else { return iso8601 }
    let sinceMidnight: Int =
      Int(parts.tm_hour) * 3_600 + Int(parts.tm_min) * 60 + Int(parts.tm_sec)
    let inDay: UInt64 = UInt64(sinceMidnight) * 1_000_000 + microseconds % 1_000_000
    // A leap second would make 24 hours and more of it.
    return Self.clock(min(inDay, 86_399_999_999), fraction: 3)
  }

  private var localParts: tm? {
    var seconds = time_t(clamping: microseconds / 1_000_000)
    var parts = tm()
    return localtime_r(&seconds, &parts) == nil ? nil : parts
  }

  private static func clock(_ inDay: UInt64, fraction places: Int) -> String {
    String(unsafeUninitializedCapacity: 9 + places) { (text) -> Int in
      putClock(inDay, fraction: places, at: 0, text)
      return 9 + places
    }
  }

  /// Writes `11:30:00.123`; the fraction has 3 or 6 places.
  private static func putClock(
    _ inDay: UInt64, fraction places: Int, at place: Int, _ text: UnsafeMutableBufferPointer<UInt8>
  ) {
    let seconds: UInt64 = inDay / 1_000_000
    put(seconds / 3_600, 2, at: place, text)
    text[place + 2] = UInt8(ascii: ":")
    put(seconds / 60 % 60, 2, at: place + 3, text)
    text[place + 5] = UInt8(ascii: ":")
    put(seconds % 60, 2, at: place + 6, text)
    text[place + 8] = UInt8(ascii: ".")
    put(inDay % 1_000_000 / (places == 3 ? 1_000 : 1), places, at: place + 9, text)
  }

  private static func put(
    _ number: UInt64, _ width: Int, at place: Int, _ text: UnsafeMutableBufferPointer<UInt8>
  ) {
    var rest: UInt64 = number
    for index in stride(from: place + width - 1, through: place, by: -1) {
      text[index] = UInt8(ascii: "0") + UInt8(rest % 10)
      rest /= 10
    }
  }

  private static func padded(_ number: Int, _ width: Int = 2) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  /// Year, month and day of a count of days since 1970-01-01 (Howard Hinnant's algorithm for the
  /// Gregorian calendar).
  static func civil(days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted: Int = days + 719_468
    let era: Int = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra: Int = shifted - era * 146_097
    let yearOfEra: Int =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear: Int = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch: Int = (5 * dayOfYear + 2) / 153
    let day: Int = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month: Int = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }
}
