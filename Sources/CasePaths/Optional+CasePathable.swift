import IssueReporting

extension Optional: CasePathable, CasePathIterable {
  /// The cases of an optional, and through it those of the value inside.
  @dynamicMemberLookup
  public struct AllCasePaths: CasePathReflectable, Sendable, Sequence {
    public subscript(root: Optional) -> PartialCaseKeyPath<Optional> {
      switch root {
      case .none: \.none
      case .some: \.some
      }
    }

    /// The case of no value.
    public var none: AnyCasePath<Optional, Void> {
      AnyCasePath(
        embed: { .none },
        extract: {
          guard case .none = $0 else { return nil }
          return ()
        }
      )
    }

    /// The case of a value.
    public var some: AnyCasePath<Optional, Wrapped> {
      AnyCasePath(embed: { .some($0) }, extract: { $0 })
    }

    /// A case of the value inside, nil where there is none.
    public subscript<Member>(
      dynamicMember keyPath: KeyPath<Case<Wrapped>, Case<Member>>
    ) -> AnyCasePath<Optional, Member?> {
      let casePath = AnyCasePath(keyPath)
      return AnyCasePath<Optional, Member?>(
        embed: { member in member.map { casePath.embed($0) } },
        extract: { root in
          guard case .some(let wrapped) = root, let member = casePath.extract(from: wrapped)
          else { return nil }
          return .some(member)
        }
      )
    }

    public func makeIterator() -> IndexingIterator<[PartialCaseKeyPath<Optional>]> {
      [\.none, \.some].makeIterator()
    }
  }

  public static var allCasePaths: AllCasePaths {
    AllCasePaths()
  }
}

extension Optional where Wrapped: CasePathable {
  /// Tells whether there is a value and it is a given case.
  public func `is`(_ keyPath: PartialCaseKeyPath<Wrapped>) -> Bool {
    self?.is(keyPath) ?? false
  }

  /// Changes the value of a case in place.
  ///
  /// When there is no value, or it is another case, an issue is reported and `yield` is not
  /// called.
  public mutating func modify<Value>(
    _ keyPath: CaseKeyPath<Wrapped, Value>,
    yield: (inout Value) -> Void,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    guard case .some(var wrapped) = self else {
      reportIssue(
        """
        Can't modify '\(String(describing: self))' via \
        'CaseKeyPath<\(Wrapped.self), \(Value.self)>' (aka '\(String(reflecting: keyPath))')
        """,
        fileID: fileID,
        filePath: filePath,
        line: line,
        column: column
      )
      return
    }
    self = nil
    defer { self = wrapped }
    wrapped.modify(
      keyPath, yield: yield, fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
