/// The root and the end of every case key path.
///
/// A case key path is an ordinary key path between two of these, so that it is written as one
/// (`\.list.saved`), compares and hashes as one, and can be completed by an editor.
@dynamicMemberLookup
public struct Case<Value>: Sendable {
  /// The way from the root, or nil when this is the root itself.
  let path: CaseStep<Value>?

  /// The case that is the whole value.
  public init() {
    self.path = nil
  }

  /// A case made of two functions that do not know the type of the root.
  public init(
    embed: @escaping @Sendable (Value) -> Any,
    extract: @escaping @Sendable (Any) -> Value?
  ) {
    self.path = UntypedStep(embed: embed, extract: extract)
  }

  /// The case that a case key path ends at.
  public init<Root>(_ keyPath: CaseKeyPath<Root, Value>) {
    self = Case<Root>()[keyPath: keyPath]
  }

  private init(path: CaseStep<Value>) {
    self.path = path
  }

  /// Goes on to a case of the value.
  public subscript<Member>(
    dynamicMember keyPath: KeyPath<Value.AllCasePaths, AnyCasePath<Value, Member>>
  ) -> Case<Member> where Value: CasePathable {
    guard let path else {
      // The key path's own class says that its step ends at this type.
      if let step = CaseSteps.kept(keyPath) {
        return Case<Member>(path: unsafeDowncast(step, to: CaseStep<Member>.self))
      }
      let step = RootedStep(Value.allCasePaths[keyPath: keyPath])
      CaseSteps.keep(step, for: keyPath)
      return Case<Member>(path: step)
    }
    return Case<Member>(path: path.appending(Value.allCasePaths[keyPath: keyPath]))
  }

  /// Makes a value into the root.
  public func embed(_ value: Value) -> Any {
    path?.embedAny(value) ?? value
  }

  /// Takes the value out of the root; nil when the root is another case.
  public func extract(from root: Any) -> Value? {
    guard let path else { return root as? Value }
    return path.extractAny(from: root)
  }
}

extension Case {
  /// The case that no value is ever in.
  public var never: Case<Never> {
    Case<Never>(embed: { (value: Never) -> Any in value }, extract: { _ in nil })
  }
}

extension Case {
  /// The case path from the root that this was reached from.
  @usableFromInline
  func casePath<Root>(from root: Root.Type) -> AnyCasePath<Root, Value> {
    if let path {
      if type(of: path) == RootedStep<Root, Value>.self {
        return unsafeDowncast(path, to: RootedStep<Root, Value>.self).casePath
      }
    } else if let whole = AnyCasePath<Root, Root>() as? AnyCasePath<Root, Value> {
      return whole
    }
    // Only `never`, and a case made by hand of untyped functions, come here. That they give the
    // root is for their author to see to.
    return AnyCasePath(
      embed: { value in
        let root = embed(value)
        guard let root = root as? Root else {
          preconditionFailure("A 'Case' embeds a value as \(type(of: root)), not as \(Root.self).")
        }
        return root
      },
      extract: { extract(from: $0) }
    )
  }
}

/// A case whose value's type is not known.
protocol ErasedCasePath {
  func embedAny(_ value: Any) -> Any?
  func extractAny<Root>(of root: Root) -> Any?
  func matches<Root>(_ root: Root) -> Bool
}

extension Case: ErasedCasePath {
  func embedAny(_ value: Any) -> Any? {
    (value as? Value).map(embed)
  }

  func extractAny<Root>(of root: Root) -> Any? {
    casePath(from: Root.self).extract(from: root).map { $0 as Any }
  }

  func matches<Root>(_ root: Root) -> Bool {
    casePath(from: Root.self).matches(root)
  }
}
