internal import ActionCoding
internal import Foundation

// Calendars, locales and time zones as they are at one moment. Those that follow the settings of
// the machine would be others in a replay.

/// A calendar as it is at one moment.
@Recordable
struct FrozenCalendar: Sendable {
  var identifier: String
  var locale: String?
  var timeZone: FrozenTimeZone
  var firstWeekday: Int
  var minimumDaysInFirstWeek: Int

  init(_ calendar: Calendar) {
    self.identifier = String(describing: calendar.identifier)
    self.locale = calendar.locale?.identifier
    self.timeZone = FrozenTimeZone(calendar.timeZone)
    self.firstWeekday = calendar.firstWeekday
    self.minimumDaysInFirstWeek = calendar.minimumDaysInFirstWeek
  }

  var calendar: Calendar {
    var calendar = Calendar(identifier: Self.identifiers[self.identifier] ?? .gregorian)
    calendar.locale = self.locale.map(Locale.init(identifier:))
    calendar.timeZone = self.timeZone.timeZone
    // To set them would fix them for a locale that is set later.
    if calendar.firstWeekday != self.firstWeekday { calendar.firstWeekday = self.firstWeekday }
    if calendar.minimumDaysInFirstWeek != self.minimumDaysInFirstWeek {
      calendar.minimumDaysInFirstWeek = self.minimumDaysInFirstWeek
    }
    return calendar
  }

  static let identifiers: [String: Calendar.Identifier] = {
    let all: [Calendar.Identifier] = [
      .gregorian, .buddhist, .chinese, .coptic, .ethiopicAmeteMihret, .ethiopicAmeteAlem, .hebrew,
      .iso8601, .indian, .islamic, .islamicCivil, .japanese, .persian, .republicOfChina,
      .islamicTabular, .islamicUmmAlQura,
    ]
    return Dictionary(uniqueKeysWithValues: all.map { (String(describing: $0), $0) })
  }()

  static func read(_ name: String) -> ValueRead<Calendar> {
    .frozen(name, as: Self.self, { Self($0) }, { $0.calendar })
  }
}

/// A locale as it is at one moment.
@Recordable
struct FrozenLocale: Sendable {
  var identifier: String

  init(_ locale: Locale) {
    self.identifier = locale.identifier
  }

  var locale: Locale { Locale(identifier: self.identifier) }

  static func read(_ name: String) -> ValueRead<Locale> {
    .frozen(name, as: Self.self, { Self($0) }, { $0.locale })
  }

  static func readAll(_ name: String) -> ValueRead<[Locale]> {
    .frozen(name, as: [Self].self, { $0.map { Self($0) } }, { $0.map(\.locale) })
  }
}

/// A time zone as it is at one moment.
@Recordable
struct FrozenTimeZone: Sendable {
  var identifier: String
  /// For zones that are not in this machine's list.
  var secondsFromGMT: Int

  init(_ timeZone: TimeZone) {
    self.identifier = timeZone.identifier
    self.secondsFromGMT = timeZone.secondsFromGMT()
  }

  var timeZone: TimeZone {
    TimeZone(identifier: self.identifier) ?? TimeZone(secondsFromGMT: self.secondsFromGMT) ?? .gmt
  }

  static func read(_ name: String) -> ValueRead<TimeZone> {
    .frozen(name, as: Self.self, { Self($0) }, { $0.timeZone })
  }
}
