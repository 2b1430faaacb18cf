/// What a function makes of what another reference refers to.
final class ReadReference<Base: Reference, Value>: Reference, @unchecked Sendable {
  private let base: Base
  private let body: (Base.Value) -> Value
  private let name: String

  /// - Parameter name: How the function is shown behind the name of the base.
  init(base: Base, name: String, body: @escaping (Base.Value) -> Value) {
    self.base = base
    self.name = name
    self.body = body
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

extension ReadReference: RootedReference {
  var root: (any AnyRootReference)? { base.root }
}
