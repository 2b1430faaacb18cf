import IssueReporting

/// An enum whose cases can be named by key paths.
///
/// `@CasePathable` writes the conformance. It may also be written by hand: `AllCasePaths` has one
/// property a case, each an ``AnyCasePath`` from the enum to the value of that case.
public protocol CasePathable {
  /// The type with a property for each case.
  associatedtype AllCasePaths

  /// The case paths of this enum.
  static var allCasePaths: AllCasePaths { get }
}

/// A conformance to ``CasePathable`` that lists the enum's cases in the order of the source.
public protocol CasePathIterable: CasePathable
where AllCasePaths: Sequence, AllCasePaths.Element == PartialCaseKeyPath<Self> {}

/// Case paths that tell which case a value is.
public protocol CasePathReflectable<Root> {
  /// The enum that is looked at.
  associatedtype Root: CasePathable

  /// The key path of the case that `root` is.
  subscript(root: Root) -> PartialCaseKeyPath<Root> { get }
}

extension CasePathable {
  /// The place to spell a case key path out in full, as in `\Action.Cases.saved`.
  public typealias Cases = Case<Self>

  /// The value of a case, or nil when this is another case.
  @inlinable
  public subscript<Value>(
    dynamicMember keyPath: KeyPath<AllCasePaths, AnyCasePath<Self, Value>>
  ) -> Value? {
    Self.allCasePaths[keyPath: keyPath].extract(from: self)
  }

  /// The value of a case, or nil when this is another case.
  ///
  /// Writing replaces the value of the case that this already is; a write to another case, like
  /// one of nil, changes nothing.
  @inlinable
  public subscript<Value>(case keyPath: CaseKeyPath<Self, Value>) -> Value? {
    get { AnyCasePath(keyPath).extract(from: self) }
    set {
      guard let newValue else { return }
      let casePath = AnyCasePath(keyPath)
      guard casePath.matches(self) else { return }
      self = casePath.embed(newValue)
    }
  }

  /// The value of a case whose type is not known here, or nil when this is another case.
  @_disfavoredOverload
  public subscript(case keyPath: PartialCaseKeyPath<Self>) -> Any? {
    (Case<Self>()[keyPath: keyPath] as? any ErasedCasePath)?.extractAny(of: self)
  }

  /// Tells whether this is a given case.
  public func `is`(_ keyPath: PartialCaseKeyPath<Self>) -> Bool {
    (Case<Self>()[keyPath: keyPath] as? any ErasedCasePath)?.matches(self) ?? false
  }

  /// Changes the value of a case in place.
  ///
  /// When this is another case an issue is reported, and `yield` is not called.
  public mutating func modify<Value>(
    _ keyPath: CaseKeyPath<Self, Value>,
    yield: (inout Value) -> Void,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let casePath = AnyCasePath(keyPath)
    guard var value = casePath.extract(from: self) else {
      reportIssue(
        """
        Can't modify '\(String(describing: self))' via 'CaseKeyPath<\(Self.self), \(Value.self)>' \
        (aka '\(String(reflecting: keyPath))')
        """,
        fileID: fileID,
        filePath: filePath,
        line: line,
        column: column
      )
      return
    }
    yield(&value)
    self = casePath.embed(value)
  }
}

extension CasePathable where AllCasePaths: CasePathReflectable<Self> {
  /// The key path of the case that this is.
  public var `case`: PartialCaseKeyPath<Self> {
    Self.allCasePaths[self]
  }
}
