extension Never: CasePathable, CasePathIterable {
  /// The cases of a type that has none.
  public struct AllCasePaths: CasePathReflectable, Sendable, Sequence {
    public subscript(root: Never) -> PartialCaseKeyPath<Never> {}

    public func makeIterator() -> IndexingIterator<[PartialCaseKeyPath<Never>]> {
      [].makeIterator()
    }
  }

  public static var allCasePaths: AllCasePaths {
    AllCasePaths()
  }
}
