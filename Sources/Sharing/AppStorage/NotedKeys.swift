import Synchronization

/// The keys whose form has been noted in this process.
final class NotedKeys: Sendable {
  static let shared = NotedKeys()

  private let keys = Mutex<Set<String>>([])

  /// Adds a key; `false` when it is there already.
  func insert(_ key: String) -> Bool {
    keys.withLock { $0.insert(key).inserted }
  }
}
