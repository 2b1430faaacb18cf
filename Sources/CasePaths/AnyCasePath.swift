/// How to make a value into a case of an enum, and how to take it out again.
@dynamicMemberLookup
public struct AnyCasePath<Root, Value>: Sendable {
  @usableFromInline let _embed: @Sendable (Value) -> Root
  @usableFromInline let _extract: @Sendable (Root) -> Value?

  /// A case path of two functions.
  ///
  /// - Parameters:
  ///   - embed: makes a value into the case.
  ///   - extract: takes the value out, or returns nil when its argument is another case.
  @inlinable
  public init(
    embed: @escaping @Sendable (Value) -> Root,
    extract: @escaping @Sendable (Root) -> Value?
  ) {
    self._embed = embed
    self._extract = extract
  }

  /// The case path that a case key path names.
  public init(_ keyPath: CaseKeyPath<Root, Value>) {
    self = Case<Root>()[keyPath: keyPath].casePath(from: Root.self)
  }

  /// Makes a value into the case.
  @inlinable
  public func embed(_ value: Value) -> Root {
    _embed(value)
  }

  /// Takes the value out of the case; nil when `root` is another case.
  @inlinable
  public func extract(from root: Root) -> Value? {
    _extract(root)
  }

  /// The case path that goes on to a case inside of this one.
  public subscript<Member>(
    dynamicMember keyPath: KeyPath<Value.AllCasePaths, AnyCasePath<Value, Member>>
  ) -> AnyCasePath<Root, Member> where Value: CasePathable {
    appending(Value.allCasePaths[keyPath: keyPath])
  }

  /// Tells whether a value is this case, without asking more than whether there is a value.
  @inlinable
  package func matches(_ root: Root) -> Bool {
    if case .some = _extract(root) { true } else { false }
  }

  package func appending<Member>(_ other: AnyCasePath<Value, Member>) -> AnyCasePath<Root, Member> {
    AnyCasePath<Root, Member>(
      embed: { [_embed, otherEmbed = other._embed] in _embed(otherEmbed($0)) },
      extract: { [_extract, otherExtract = other._extract] in
        guard let value = _extract($0) else { return nil }
        return otherExtract(value)
      }
    )
  }
}

/// The constructor of a case, for macro output: a constructor may be called from anywhere, although
/// the compiler does not take it for `Sendable` before Swift 6.
@inlinable
public func _$embed<Root, Value>(
  _ constructor: @escaping (Value) -> Root
) -> @Sendable (Value) -> Root {
  nonisolated(unsafe) let constructor = constructor
  return { constructor($0) }
}

extension AnyCasePath where Root == Value {
  /// The case path that takes the whole.
  @inlinable
  public init() {
    self.init(embed: { $0 }, extract: { $0 })
  }
}

extension AnyCasePath: CustomDebugStringConvertible {
  public var debugDescription: String {
    "AnyCasePath<\(Root.self), \(Value.self)>"
  }
}

extension AnyCasePath where Root: CasePathable {
  /// The case path that a property of `AllCasePaths` holds.
  ///
  /// Where it is written out, as `\.saved`, such a key path is one object for the whole life of the
  /// process and costs a few nanoseconds; a case key path, which holds it as an argument, is made
  /// each time anew at a cost of a microsecond or two.
  @inlinable
  package init(property keyPath: KeyPath<Root.AllCasePaths, AnyCasePath<Root, Value>>) {
    if let step = CaseSteps.kept(keyPath) {
      // The key path's own class says from where to where its step leads.
      self = unsafeDowncast(step, to: RootedStep<Root, Value>.self).casePath
    } else {
      self = Case<Root>()[dynamicMember: keyPath].casePath(from: Root.self)
    }
  }
}
