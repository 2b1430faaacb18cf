internal import ComposableArchitecture
internal import Dependencies
internal import Foundation
internal import Sharing

/// Where shared values are kept while a timeline folds: in memory, and apart from the program's own.
///
/// A reducer that writes a shared value with a key must not reach the user's defaults or files, nor
/// another timeline.
struct ReplayStorages {
  private let update: @Sendable (inout DependencyValues) -> Void

  /// - Parameter shared: Where the references of keys come from.
  init(_ shared: SharedPlayer) {
    let references = PersistentReferences(source: shared)
    let values = InMemoryStorage()
    let files = FileStorage.inMemory
    let defaults = UncheckedSendable(UserDefaults.inMemory)
    self.update = {
      $0.becomeReplayed()
      $0.persistentReferences = references
      $0.defaultInMemoryStorage = values
      $0.defaultFileStorage = files
      $0.defaultAppStorage = defaults.value
    }
  }

  /// Runs `operation` as every replay runs reducers.
  func install<R>(_ operation: () throws -> R) rethrows -> R {
    try PrintingOfChanges.$isOff.withValue(true) {
      try withDependencies(self.update, operation: operation)
    }
  }
}
