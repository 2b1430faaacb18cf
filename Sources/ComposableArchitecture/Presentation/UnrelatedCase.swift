internal import CasePaths
internal import IssueReporting

/// Writes the value of one case of an optional enum; writing `nil` makes the whole `nil`.
///
/// An enum that is in another case, or absent, stays as it is, and an issue says so: to put it into
/// a case is done by assigning it as a whole.
func setCase<Root: CasePathable, Value>(
  _ root: inout Root?, _ keyPath: CaseKeyPath<Root, Value>, to value: Value?
) {
  if let current = root, current.is(keyPath) {
    root = value.map { keyPath($0) }
  } else {
    reportUnrelatedCase(of: root)
  }
}

private func reportUnrelatedCase(of root: Any?) {
  let name: String? = root.map { Mirror(reflecting: $0).children.first?.label ?? "\($0)" }
  reportIssue("Can't modify unrelated case\(name.map { #" "\#($0)""# } ?? "")")
}
