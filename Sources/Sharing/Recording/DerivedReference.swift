internal import Dependencies

/// One step from a reference to a part of what it refers to, as a log has it.
enum DerivationStep: Hashable {
  /// A stored property, or one in another: the names, as `name.first`.
  case member(String)
  /// The element of an identified array with this id, whose bytes these are.
  case element([UInt8])
  /// What an optional holds.
  case unwrapped
  /// One that another process can't take: how it describes itself.
  case unknown(String)

  /// The step that a key path is, seen from a value of its root.
  init(_ path: AnyKeyPath, from root: Any) {
    if let id = ElementPath.id(of: path, in: root) {
      self = .element(id)
    } else if let names = StoredPath.names(of: path) {
      self = .member(names)
    } else {
      self = .unknown("\(path)")
    }
  }

  /// The step to an element of an identified array, which is told from the array while the element
  /// is there; looked for only while something is recorded or replayed.
  static func ofElement<Base: Reference>(_ path: AnyKeyPath, of base: Base) -> DerivationStep? {
    guard SharedSession.isAnyAlive, ElementPath.exists(in: Base.Value.self) else { return nil }
    // Nobody is to hear of this as of a read of the reducer.
    return ReducerReads.without {
      ElementPath.id(of: path, in: base.wrappedValue).map { .element($0) }
    }
  }
}

/// A reference that knows how it was derived from the one that holds its value.
protocol DerivedReference: RootedReference {
  /// The value, where the root has the given one.
  func projected(from root: Any) -> Any?

  /// The steps from the root to here, where the root has the given value.
  func steps(from root: Any) -> [DerivationStep]
}

extension Reference {
  /// What tells a derived reference from its root; `nil` for one of another's making.
  func derivation(from root: Any) -> (steps: [DerivationStep], value: Value)? {
    guard let derived = self as? any DerivedReference,
      let value = derived.projected(from: root) as? Value
    else { return nil }
    return (derived.steps(from: root), value)
  }

  /// Takes the steps from here, to be read.
  ///
  /// - Parameter last: What the last step led to when that was written: the whole need not hold
  ///   what it held then.
  func readDerived(
    _ steps: some Collection<DerivationStep>, last: Any?
  ) -> (any Reference)? {
    guard let step = steps.first else { return self }
    let rest = steps.dropFirst()
    let next: (any Reference)? =
      switch step {
      case .member(let names): StoredPath.find(names, in: Value.self).flatMap { readPart($0) }
      case .element(let id): ElementPath.find(id, in: Value.self).flatMap { readPart($0) }
      case .unwrapped:
        (Value.self as? any OptionalValue.Type)?
          .readUnwrapped(self, last: rest.isEmpty ? last : nil)
      case .unknown: nil
      }
    return next?.readDerived(rest, last: last)
  }

  private func readPart(_ path: AnyKeyPath) -> (any Reference)? {
    func open<Member>(_ member: Member.Type) -> (any Reference)? {
      (path as? KeyPath<Value, Member>).map { ReadReference(base: self, keyPath: $0) }
    }
    return _openExistential(type(of: path).valueType, do: open)
  }
}

extension MutableReference {
  /// Takes the steps from here.
  ///
  /// - Parameter last: What the last step led to when that was written: the whole need not hold
  ///   what it held then.
  func derived(
    _ steps: some Collection<DerivationStep>, last: Any?
  ) -> (any MutableReference)? {
    guard let step = steps.first else { return self }
    let rest = steps.dropFirst()
    let next: (any MutableReference)? =
      switch step {
      case .member(let names): StoredPath.find(names, in: Value.self).flatMap { part($0) }
      case .element(let id): ElementPath.find(id, in: Value.self).flatMap { part($0) }
      case .unwrapped:
        (Value.self as? any OptionalValue.Type)?
          .unwrapped(self, last: rest.isEmpty ? last : nil)
      case .unknown: nil
      }
    return next?.derived(rest, last: last)
  }

  private func part(_ path: AnyKeyPath) -> (any MutableReference)? {
    func open<Member>(_ member: Member.Type) -> (any MutableReference)? {
      (path as? WritableKeyPath<Value, Member>).map { KeyPathReference(base: self, keyPath: $0) }
    }
    return _openExistential(type(of: path).valueType, do: open)
  }
}

// MARK: - Optionals

/// An optional, whatever it holds.
private protocol OptionalValue {
  static func readUnwrapped(_ base: any Reference, last: Any?) -> (any Reference)?
  static func unwrapped(_ base: any MutableReference, last: Any?) -> (any MutableReference)?
}

extension Optional: OptionalValue {
  fileprivate static func readUnwrapped(_ base: any Reference, last: Any?) -> (any Reference)? {
    func open(_ base: some Reference<Wrapped?>) -> (any Reference)? {
      (last as? Wrapped ?? base.wrappedValue)
        .map { OptionalReaderReference(base: base, initialValue: $0) }
    }
    return (base as? any Reference<Wrapped?>).flatMap { open($0) }
  }

  fileprivate static func unwrapped(
    _ base: any MutableReference, last: Any?
  ) -> (any MutableReference)? {
    func open(_ base: some MutableReference<Wrapped?>) -> (any MutableReference)? {
      (last as? Wrapped ?? base.wrappedValue)
        .map { OptionalReference(base: base, initialValue: $0) }
    }
    return (base as? any MutableReference<Wrapped?>).flatMap { open($0) }
  }
}
