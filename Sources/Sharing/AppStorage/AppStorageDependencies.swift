import ConcurrencyExtras
public import Dependencies
public import Foundation

extension DependencyValues {
  /// The user defaults that `appStorage` uses unless it is given others: those of the program, and
  /// in tests and previews ones in memory, where each test has its own.
  public var defaultAppStorage: UserDefaults {
    get { self[AppStorageDependency.self].value }
    set { self[AppStorageDependency.self] = UncheckedSendable(newValue) }
  }

  /// Whether keys are noted, in debug builds, that can't be observed on Apple's systems: those that
  /// contain a dot or begin with an at sign. Off in tests and previews.
  public var appStorageKeyFormatWarningEnabled: Bool {
    get { self[AppStorageKeyFormatWarning.self] }
    set { self[AppStorageKeyFormatWarning.self] = newValue }
  }

  private enum AppStorageDependency: DependencyKey {
    static var liveValue: UncheckedSendable<UserDefaults> { UncheckedSendable(.standard) }
    static var previewValue: UncheckedSendable<UserDefaults> { UncheckedSendable(.inMemory) }
    static var testValue: UncheckedSendable<UserDefaults> { UncheckedSendable(.inMemory) }
  }

  private enum AppStorageKeyFormatWarning: DependencyKey, UnreadKey {
    static var liveValue: Bool { true }
    static var previewValue: Bool { false }
    static var testValue: Bool { false }
  }
}
