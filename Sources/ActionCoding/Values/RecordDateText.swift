import FoundationEssentials

/// Dates as ISO 8601 text in UTC, without loss: the seconds have as many digits as the date's bits
/// ask for.
enum RecordDateText {
  /// As `2025-11-30T11:36:00.25Z`; a date that no calendar year of four digits holds is the number
  /// of seconds since 2001, as `978307200.0s`.
  static func text(of date: Date) -> String {
    let seconds = date.timeIntervalSinceReferenceDate
    // The years 1 to 9999.
    guard seconds >= -63_113_904_000, seconds < 252_423_993_600 else { return "\(seconds)s" }
    let whole = seconds.rounded(.down)
    let total = Int64(whole)
    let (days, rest) = (total.flooredDivision(by: 86_400), total.flooredRemainder(by: 86_400))
    let (year, month, day) = civil(daysSince2001: days)
    let clock = [rest / 3_600, rest / 60 % 60, rest % 60].map { padded($0, 2) }
    let text = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T"
    return text + clock.joined(separator: ":") + fraction(of: seconds, whole: whole) + "Z"
  }

  /// The fewest digits after the point that give the same date again, none where it is whole.
  private static func fraction(of seconds: Double, whole: Double) -> String {
    let fraction = seconds - whole
    guard fraction > 0 else { return "" }
    for digits in 1...17 {
      let scale = pow10(digits)
      let number = (fraction * scale).rounded()
      if number < scale, whole + number / scale == seconds {
        return "." + padded(Int64(number), digits)
      }
    }
    return "." + padded(Int64(fraction * pow10(17)), 17)
  }

  private static func pow10(_ exponent: Int) -> Double {
    (0..<exponent).reduce(1.0) { power, _ in power * 10 }
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  /// The proleptic Gregorian date; the method is Howard Hinnant's `civil_from_days`.
  private static func civil(daysSince2001 days: Int64) -> (Int64, Int64, Int64) {
    // Counted from 0000-03-01, so that the leap day ends the year.
    let shifted = days + 730_791
    let era = shifted.flooredDivision(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }
}

extension Int64 {
  fileprivate func flooredDivision(by divisor: Int64) -> Int64 {
    (self - flooredRemainder(by: divisor)) / divisor
  }

  fileprivate func flooredRemainder(by divisor: Int64) -> Int64 {
    let rest = self % divisor
    return rest < 0 ? rest + divisor : rest
  }
}
