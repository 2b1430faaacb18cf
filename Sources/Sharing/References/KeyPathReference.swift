/// A part of what another reference refers to.
final class KeyPathReference<Base: MutableReference, Value>: MutableReference, @unchecked Sendable {
  private let base: Base
  // What a key path holds was given to it to look up parts of a shared value from any thread.
  private let keyPath: WritableKeyPath<Base.Value, Value>
  /// The step that the key path is, where only the value at hand tells.
  private let knownStep: DerivationStep?

  init(base: Base, keyPath: WritableKeyPath<Base.Value, Value>) {
    self.base = base
    self.keyPath = keyPath
    self.knownStep = DerivationStep.ofElement(keyPath, of: base)
  }

  var wrappedValue: Value { base.wrappedValue[keyPath: keyPath] }
  var isLoading: Bool { base.isLoading }
  var loadError: (any Error)? { base.loadError }
  var saveError: (any Error)? { base.saveError }
  var description: String { "\(base)[dynamicMember: \(keyPath)]" }

  func withLock<R>(_ body: (inout Value) throws -> R) rethrows -> R {
    try base.withLock { try body(&$0[keyPath: keyPath]) }
  }

  func load() async throws { try await base.load() }
  func save() async throws { try await base.save() }
  func touch() { base.touch() }

  func _subscribe(
    _ receive: @escaping @Sendable (_SharedElement<Value>) -> Void
  ) -> SharedSubscription {
    base._subscribe { [keyPath = UncheckedKeyPath(keyPath)] element in
      receive(element.map { $0[keyPath: keyPath.path] })
    }
  }

  static func == (lhs: KeyPathReference, rhs: KeyPathReference) -> Bool {
    lhs === rhs || lhs.base == rhs.base && lhs.keyPath == rhs.keyPath
  }
}

private struct UncheckedKeyPath<Root, Value>: @unchecked Sendable {
  let path: WritableKeyPath<Root, Value>

  init(_ path: WritableKeyPath<Root, Value>) {
    self.path = path
  }
}

extension KeyPathReference: DerivedReference {
  var root: (any AnyRootReference)? { base.root }

  func projected(from root: Any) -> Any? {
    base.derivation(from: root).map { $0.value[keyPath: keyPath] }
  }

  func steps(from root: Any) -> [DerivationStep] {
    guard let (steps, value) = base.derivation(from: root) else { return [] }
    return steps + [knownStep ?? DerivationStep(keyPath, from: value)]
  }
}
