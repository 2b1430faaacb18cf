public import Foundation

extension DependencyValues {
  /// The centre that notifications are posted to and observed at.
  public var notificationCenter: NotificationCenter {
    get { self[NotificationCenterKey.self].value }
    set { self[NotificationCenterKey.self] = Reference(value: newValue) }
  }

  private enum NotificationCenterKey: DependencyKey, ReplayedKey {
    static let liveValue = Reference(value: .default)
    // What a replayed reducer posts is heard by nobody.
    static var replayedValue: Reference { Reference(value: NotificationCenter()) }
  }

  // Foundation says that a centre may be used from any thread.
  private struct Reference: @unchecked Sendable {
    let value: NotificationCenter
  }
}
