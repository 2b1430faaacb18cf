import ConcurrencyExtras
import Dispatch
import Foundation
import Synchronization

/// Brings changed user defaults to disk, which Foundation here does only when it is asked to.
///
/// A change is written at once, in the background; those that follow it within a tenth of a second
/// together when it is over, at the latest when the process ends by itself.
final class DefaultsWriter: Sendable {
  private static let holdMilliseconds = 100

  private struct Entry {
    var store: UncheckedSendable<UserDefaults>
    var isDirty: Bool
  }

  /// The stores that were written within the last tenth of a second, or are to be.
  private let entries = Mutex<[ObjectIdentifier: Entry]>([:])
  private let queue: DispatchQueue

  init(queue: DispatchQueue) {
    self.queue = queue
    AtExit.add { [weak self] in self?.writeAll() }
  }

  func write(_ store: UserDefaults) {
    let id = ObjectIdentifier(store)
    let isFirst: Bool = entries.withLock { entries in
      let isFirst: Bool = entries[id] == nil
      entries[id] = Entry(store: UncheckedSendable(store), isDirty: true)
      return isFirst
    }
    if isFirst {
      queue.async { self.writeNext(id) }
    }
  }

  private func writeNext(_ id: ObjectIdentifier) {
    let store: UncheckedSendable<UserDefaults>? = entries.withLock { entries in
      guard let entry = entries[id], entry.isDirty else {
        entries[id] = nil
        return nil
      }
      entries[id]?.isDirty = false
      return entry.store
    }
    guard let store else { return }
    store.value.exchange()
    queue.asyncAfter(deadline: .now() + .milliseconds(Self.holdMilliseconds)) {
      self.writeNext(id)
    }
  }

  private func writeAll() {
    let stores: [UncheckedSendable<UserDefaults>] = entries.withLock { entries in
      // Those that are no longer dirty may be on their way still.
      entries.values.map(\.store)
    }
    for store in stores { store.value.exchange() }
  }
}
