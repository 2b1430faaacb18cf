internal import Synchronization

/// A group of running effects that ends, and is cancelled, as one.
///
/// One is made for each action that comes from outside and has an effect; the effects of the
/// actions that those effects send join it. ``StoreTask`` waits for it or cancels it. One below it
/// stands for each cancellable effect. A scope is in its parent only while something runs in it.
package final class EffectScope: Sendable {
  private struct Storage {
    var isCancelled = false
    var running = 0
    var nextKey = 0
    var keyInParent = 0
    var cancellations: [Int: @Sendable () -> Void] = [:]
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private static let counter = Atomic<Int>(0)

  /// Scopes in the order of their making, for cancellations in a stable order.
  package let order: Int
  private let storage = Mutex(Storage())
  private let parent: EffectScope?

  package init(parent: EffectScope?) {
    self.order = Self.counter.add(1, ordering: .relaxed).newValue
    self.parent = parent
  }

  package var isCancelled: Bool { self.storage.withLock { $0.isCancelled } }

  package var isRunning: Bool { self.storage.withLock { $0.running > 0 } }

  /// Counts one more running effect, here and above.
  package func enter() {
    let isFirst = self.storage.withLock { storage in
      storage.running += 1
      return storage.running == 1
    }
    guard isFirst, let parent = self.parent else { return }
    parent.enter()
    // A parent that is cancelled already cancels the scope right here.
    let key = parent.add { [weak self] in self?.cancel() }
    self.storage.withLock { $0.keyInParent = key }
  }

  /// Counts one running effect less, and tells those who wait when it was the last one.
  package func leave() {
    let ended = self.storage.withLock { storage -> ([CheckedContinuation<Void, Never>], Int)? in
      storage.running -= 1
      guard storage.running == 0 else { return nil }
      defer { storage.waiting = [] }
      return (storage.waiting, storage.keyInParent)
    }
    guard let (waiting, keyInParent) = ended else { return }
    self.parent?.remove(keyInParent)
    self.parent?.leave()
    for continuation in waiting { continuation.resume() }
  }

  /// Adds something to be cancelled with the scope; it is cancelled at once where the scope is.
  package func add(_ cancellation: @escaping @Sendable () -> Void) -> Int {
    let key = self.storage.withLock { storage -> Int? in
      guard !storage.isCancelled else { return nil }
      storage.nextKey += 1
      storage.cancellations[storage.nextKey] = cancellation
      return storage.nextKey
    }
    guard let key else {
      cancellation()
      return 0
    }
    return key
  }

  package func remove(_ key: Int) {
    // Released outside of the lock: a closure's context may run the user's code.
    _ = self.storage.withLock { $0.cancellations.removeValue(forKey: key) }
  }

  package func cancel() {
    let cancellations = self.storage.withLock { storage -> [Int: @Sendable () -> Void] in
      storage.isCancelled = true
      defer { storage.cancellations = [:] }
      return storage.cancellations
    }
    for key in cancellations.keys.sorted() { cancellations[key]?() }
  }

  /// Waits until no effect of the scope runs.
  package func wait() async {
    await withCheckedContinuation { continuation in
      let isDone = self.storage.withLock { storage in
        if storage.running == 0 { return true }
        storage.waiting.append(continuation)
        return false
      }
      if isDone { continuation.resume() }
    }
  }
}
