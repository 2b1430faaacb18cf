internal import Synchronization

/// What an optional reference holds; the last value once there is none any more.
final class OptionalReference<Base: MutableReference, Value>: MutableReference,
  @unchecked Sendable
where Base.Value == Value? {
  private let base: Base
  private let last: LastValue<Value>

  init(base: Base, initialValue: Value) {
    self.base = base
    self.last = LastValue(initialValue)
  }

  var wrappedValue: Value { last.latest(base.wrappedValue) }
  var isLoading: Bool { base.isLoading }
  var loadError: (any Error)? { base.loadError }
  var saveError: (any Error)? { base.saveError }
  var description: String { "\(base)!" }

  /// Changes the value; once there is none any more, changes do not bring it back.
  func withLock<R>(_ body: (inout Value) throws -> R) rethrows -> R {
    try base.withLock { value in
      guard var wrapped = value else {
        var gone: Value = last.value
        defer { last.value = gone }
        return try body(&gone)
      }
      defer {
        value = wrapped
        last.value = wrapped
      }
      return try body(&wrapped)
    }
  }

  func load() async throws { try await base.load() }
  func save() async throws { try await base.save() }
  func touch() { base.touch() }

  func _subscribe(
    _ receive: @escaping @Sendable (_SharedElement<Value>) -> Void
  ) -> SharedSubscription {
    base._subscribe { [last] element in receive(element.map { last.latest($0) }) }
  }

  static func == (lhs: OptionalReference, rhs: OptionalReference) -> Bool {
    lhs === rhs || lhs.base == rhs.base
  }
}

/// What a read-only optional reference holds; the last value once there is none any more.
final class OptionalReaderReference<Base: Reference, Value>: Reference, @unchecked Sendable
where Base.Value == Value? {
  private let base: Base
  private let last: LastValue<Value>

  init(base: Base, initialValue: Value) {
    self.base = base
    self.last = LastValue(initialValue)
  }

  var wrappedValue: Value { last.latest(base.wrappedValue) }
  var isLoading: Bool { base.isLoading }
  var loadError: (any Error)? { base.loadError }
  var description: String { "\(base)!" }

  func load() async throws { try await base.load() }
  func touch() { base.touch() }

  func _subscribe(
    _ receive: @escaping @Sendable (_SharedElement<Value>) -> Void
  ) -> SharedSubscription {
    base._subscribe { [last] element in receive(element.map { last.latest($0) }) }
  }
}

/// The last value that there was.
private final class LastValue<Value>: @unchecked Sendable {
  private let lock = Mutex(())
  // Guarded by `lock`.
  @exclusivity(unchecked) private var last: Value

  init(_ value: Value) {
    self.last = value
  }

  var value: Value {
    get {
      lock._unsafeLock()
      defer { lock._unsafeUnlock() }
      return last
    }
    set {
      // The old value's end may be somebody's code, which must not run under the lock.
      var value: Value = newValue
      withExtendedLifetime(value) {
        lock._unsafeLock()
        swap(&last, &value)
        lock._unsafeUnlock()
      }
    }
  }

  func latest(_ value: Value?) -> Value {
    guard let value else { return self.value }
    self.value = value
    return value
  }
}

extension OptionalReference: DerivedReference {
  var root: (any AnyRootReference)? { base.root }

  func projected(from root: Any) -> Any? {
    base.derivation(from: root).map { $0.value ?? last.value }
  }

  func steps(from root: Any) -> [DerivationStep] {
    base.derivation(from: root).map { $0.steps + [.unwrapped] } ?? []
  }
}

extension OptionalReaderReference: DerivedReference {
  var root: (any AnyRootReference)? { base.root }

  func projected(from root: Any) -> Any? {
    base.derivation(from: root).map { $0.value ?? last.value }
  }

  func steps(from root: Any) -> [DerivationStep] {
    base.derivation(from: root).map { $0.steps + [.unwrapped] } ?? []
  }
}
