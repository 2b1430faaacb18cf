public import Foundation

extension Calendar: CustomDumpReflectable {
  public var customDumpMirror: Mirror {
    Mirror(
      self,
      children: [
        "identifier": identifier,
        "locale": locale as Any,
        "timeZone": timeZone,
        "firstWeekday": firstWeekday,
        "minimumDaysInFirstWeek": minimumDaysInFirstWeek,
      ],
      displayStyle: .struct)
  }
}

extension Data: CustomDumpStringConvertible {
  public var customDumpDescription: String { "Data(\(count) byte\(count == 1 ? "" : "s"))" }
}

extension Date: CustomDumpStringConvertible {
  /// The time in UTC with milliseconds: `Date(1970-01-01T00:00:00.000Z)`.
  public var customDumpDescription: String {
    let seconds: TimeInterval = timeIntervalSinceReferenceDate
    // No calendar counts further: such a date is shown by its distance.
    guard seconds.magnitude < 1e11 else {
      return "Date(timeIntervalSinceReferenceDate: \(seconds))"
    }
    let milliseconds: TimeInterval = (timeIntervalSince1970 * 1_000).rounded() / 1_000
    // A little more, since the format cuts off what a binary fraction falls short of.
    let date = Date(timeIntervalSince1970: milliseconds + 0.000_1)
    return "Date(\(date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))))"
  }
}

extension Decimal: CustomDumpStringConvertible {
  public var customDumpDescription: String { description }
}

extension Locale: CustomDumpStringConvertible {
  public var customDumpDescription: String { "Locale(\(identifier))" }
}

extension NSError: CustomDumpReflectable {
  public var customDumpMirror: Mirror {
    Mirror(
      self, children: ["domain": domain, "code": code, "userInfo": userInfo], displayStyle: .class)
  }
}

extension Notification.Name: CustomDumpStringConvertible {
  public var customDumpDescription: String { "Notification.Name(\(rawValue.debugDescription))" }
}

extension TimeZone: CustomDumpReflectable {
  public var customDumpMirror: Mirror {
    Mirror(
      self,
      children: [
        "identifier": identifier,
        "abbreviation": abbreviation() as Any,
        "secondsFromGMT": secondsFromGMT(),
        "isDaylightSavingTime": isDaylightSavingTime(),
      ],
      displayStyle: .struct)
  }
}

extension URL: CustomDumpStringConvertible {
  public var customDumpDescription: String { "URL(\(absoluteString))" }
}

extension UUID: CustomDumpStringConvertible {
  public var customDumpDescription: String { "UUID(\(uuidString))" }
}
