internal import ConcurrencyExtras
internal import Dependencies
internal import Observation
internal import Synchronization

/// Who observes a reference.
///
/// It is no generic type, so that its key paths are made once and not at each use.
final class ReferenceObservers: Observable, Sendable {
  enum Property: UInt8 {
    case value, isLoading, loadError, saveError

    fileprivate var bit: UInt8 { 1 << rawValue }
  }

  private let registrar = ObservationRegistrar()

  // Only their key paths are of use: they name what of a reference is observed.
  private var value: Void {}
  private var isLoading: Void {}
  private var loadError: Void {}
  private var saveError: Void {}

  private typealias Path = any KeyPath<ReferenceObservers, Void> & Sendable
  private static let value: Path = \.value
  private static let isLoading: Path = \.isLoading
  private static let loadError: Path = \.loadError
  private static let saveError: Path = \.saveError

  private static func path(_ property: Property) -> Path {
    switch property {
    case .value: value
    case .isLoading: isLoading
    case .loadError: loadError
    case .saveError: saveError
    }
  }

  /// The properties whose observers are to be told on the main queue, and are not yet: a bit each.
  private let waiting = Atomic<UInt8>(0)

  /// Notes that who reads now is to hear of the next change.
  func access(_ property: Property) {
    registrar.access(self, keyPath: Self.path(property))
  }

  /// Tells that the property is about to change.
  func willSet(_ property: Property) {
    // Who is told may read again at once, to hear of the change after this one.
    ReducerReads.without {
      ReducingThread.leaving { registrar.willSet(self, keyPath: Self.path(property)) }
    }
  }

  /// Tells that the property has changed.
  func didSet(_ property: Property) {
    ReducerReads.without {
      ReducingThread.leaving { registrar.didSet(self, keyPath: Self.path(property)) }
    }
  }

  /// Tells on the main queue that the property was changed elsewhere; changes that come before it
  /// is told are told together.
  func didSetElsewhere(_ property: Property) {
    let before: UInt8 = waiting.bitwiseOr(property.bit, ordering: .acquiringAndReleasing).oldValue
    guard before & property.bit == 0 else { return }
    MainQueue.async { [self] in
      waiting.bitwiseAnd(~property.bit, ordering: .acquiringAndReleasing)
      willSet(property)
      didSet(property)
    }
  }
}
