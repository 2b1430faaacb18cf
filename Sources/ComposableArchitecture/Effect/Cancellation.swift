internal import Dependencies
internal import Synchronization

/// What identifies cancellable effects: the id that the user gave, with its type and its place.
@usableFromInline
package struct CancelID: Hashable, @unchecked Sendable {
  let type: ObjectIdentifier
  let id: AnyHashable
  let path: NavigationPath

  init<ID: Hashable>(id: ID, path: NavigationPath) {
    self.type = ObjectIdentifier(ID.self)
    self.id = AnyHashable(id)
    self.path = path
  }

  private init(_ other: CancelID, path: NavigationPath) {
    self.type = other.type
    self.id = other.id
    self.path = path
  }

  /// This id at its own place, at the one around it, … and outside of every store.
  fileprivate var prefixes: [CancelID] {
    sequence(first: self.path, next: \.parent).map { CancelID(self, path: $0) }
  }
}

/// The effects that can be cancelled by id.
///
/// An effect is found under its own place and under each place above it, so that a parent can
/// cancel what its children started. An entry is gone as soon as its last effect has ended.
package final class CancellationRegistry: Sendable {
  package static let shared = CancellationRegistry()

  private let scopes = Mutex<[CancelID: [ObjectIdentifier: EffectScope]]>([:])

  package var isEmpty: Bool { self.scopes.withLock { $0.isEmpty } }

  package func insert(_ scope: EffectScope, for id: CancelID) {
    self.scopes.withLock { scopes in
      for id in id.prefixes { scopes[id, default: [:]][ObjectIdentifier(scope)] = scope }
    }
  }

  package func remove(_ scope: EffectScope, for id: CancelID) {
    self.scopes.withLock { scopes in
      for id in id.prefixes {
        scopes[id]?[ObjectIdentifier(scope)] = nil
        if scopes[id]?.isEmpty == true { scopes[id] = nil }
      }
    }
  }

  package func cancel(_ id: CancelID) {
    // Cancelled outside of the lock: a cancellation handler is the user's code.
    let found = self.scopes.withLock { Array(($0[id] ?? [:]).values) }
    for scope in found.sorted(by: { $0.order < $1.order }) { scope.cancel() }
  }
}

extension Effect {
  /// Makes the effect cancellable by `id`.
  ///
  /// - Parameters:
  ///   - id: What ``cancel(id:)`` names it by. Its type counts as well.
  ///   - cancelInFlight: Whether running effects of this id are cancelled before this one starts.
  public func cancellable(
    id: some Hashable & Sendable, cancelInFlight: Bool = false
  ) -> Self {
    if case .none = self.operation { return .none }
    let path = currentNavigationPath()
    return Self(
      operation: .cancellable(
        CancelID(id: id, path: path), cancelInFlight: cancelInFlight, self.operation))
  }

  /// An effect that cancels the running effects of `id`.
  public static func cancel(id: some Hashable & Sendable) -> Self {
    let path = currentNavigationPath()
    return Self(operation: .cancel(CancelID(id: id, path: path)))
  }
}

/// Runs `operation` so that it can be cancelled by `id`, from inside of an effect.
///
/// - Parameters:
///   - id: What ``Effect/cancel(id:)`` names it by.
///   - cancelInFlight: Whether running work of this id is cancelled before this one starts.
///   - isolation: The actor that the operation runs on.
///   - operation: The work.
/// - Throws: What `operation` throws.
public func withTaskCancellation<T: Sendable>(
  id: some Hashable & Sendable,
  cancelInFlight: Bool = false,
  isolation: isolated (any Actor)? = #isolation,
  operation: @escaping @Sendable () async throws -> T
) async rethrows -> T {
  let path = currentNavigationPath()
  let id = CancelID(id: id, path: path)
  if cancelInFlight { CancellationRegistry.shared.cancel(id) }
  let scope = EffectScope(parent: nil)
  let task = Task { try await operation() }
  let key = scope.add { task.cancel() }
  CancellationRegistry.shared.insert(scope, for: id)
  defer {
    scope.remove(key)
    CancellationRegistry.shared.remove(scope, for: id)
  }
  return try await withTaskCancellationHandler {
    try await task.value
  } onCancel: {
    task.cancel()
  }
}

extension Task<Never, Never> {
  /// Cancels the running effects of `id`.
  public static func cancel(id: some Hashable & Sendable) {
    let path = currentNavigationPath()
    CancellationRegistry.shared.cancel(CancelID(id: id, path: path))
  }
}
