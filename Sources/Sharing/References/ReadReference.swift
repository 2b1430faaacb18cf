/// What a function makes of what another reference refers to.
final class ReadReference<Base: Reference, Value>: Reference, @unchecked Sendable {
  private let base: Base
  private let body: (Base.Value) -> Value
  private let name: String
  private let keyPath: AnyKeyPath?
  private let knownStep: DerivationStep?

  /// - Parameter name: How the function is shown behind the name of the base.
  init(base: Base, name: String, body: @escaping (Base.Value) -> Value) {
    self.base = base
    self.name = name
    self.body = body
    self.keyPath = nil
    self.knownStep = nil
  }

  init(base: Base, keyPath: KeyPath<Base.Value, Value>) {
    self.base = base
    self.name = "[dynamicMember: \(keyPath)]"
    self.body = { $0[keyPath: keyPath] }
    self.keyPath = keyPath
    self.knownStep = DerivationStep.ofElement(keyPath, of: base)
  }

  var wrappedValue: Value { body(base.wrappedValue) }
  var isLoading: Bool { base.isLoading }
  var loadError: (any Error)? { base.loadError }
  var description: String { "\(base)\(name)" }

  func load() async throws { try await base.load() }
  func touch() { base.touch() }

  func _subscribe(
    _ receive: @escaping @Sendable (_SharedElement<Value>) -> Void
  ) -> SharedSubscription {
    base._subscribe { [self] element in receive(element.map(body)) }
  }
}

extension ReadReference: DerivedReference {
  var root: (any AnyRootReference)? { base.root }

  func projected(from root: Any) -> Any? { base.derivation(from: root).map { body($0.value) } }

  func steps(from root: Any) -> [DerivationStep] {
    guard let (steps, value) = base.derivation(from: root) else { return [] }
    let step: DerivationStep? = knownStep ?? keyPath.map { DerivationStep($0, from: value) }
    return steps + [step ?? .unknown(name)]
  }
}
