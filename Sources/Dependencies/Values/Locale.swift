public import Foundation

extension DependencyValues {
  /// The calendar that dates are computed with.
  public var calendar: Calendar {
    get { self[CalendarKey.self] }
    set { self[CalendarKey.self] = newValue }
  }

  /// The locale that values are formatted for.
  public var locale: Locale {
    get { self[LocaleKey.self] }
    set { self[LocaleKey.self] = newValue }
  }

  /// The locales that the user prefers, the best first.
  public var preferredLocales: [Locale] {
    get { self[PreferredLocalesKey.self] }
    set { self[PreferredLocalesKey.self] = newValue }
  }

  /// The time zone that dates are shown in.
  public var timeZone: TimeZone {
    get { self[TimeZoneKey.self] }
    set { self[TimeZoneKey.self] = newValue }
  }

  private enum CalendarKey: DependencyKey, NamedKey {
    static let readName = "calendar"
    static let liveValue: Calendar = .autoupdatingCurrent
  }

  private enum LocaleKey: DependencyKey, NamedKey {
    static let readName = "locale"
    static let liveValue: Locale = .autoupdatingCurrent
  }

  private enum PreferredLocalesKey: DependencyKey, NamedKey {
    static let readName = "preferredLocales"
    static var liveValue: [Locale] { Locale.preferredLanguages.map(Locale.init(identifier:)) }
  }

  private enum TimeZoneKey: DependencyKey, NamedKey {
    static let readName = "timeZone"
    static let liveValue: TimeZone = .autoupdatingCurrent
  }
}
