/// Tells how two values differ, line by line, or nil where they do not.
///
/// ```swift
/// diff(user, other)
/// //   User(
/// //     favoriteNumbers: […],
/// //     id: 2,
/// // -   name: "Blob"
/// // +   name: "Blob, Esq."
/// //   )
/// ```
///
/// What is the same in both is shown in short, and runs of elements that are the same are
/// counted: `… (3 unchanged)`.
///
/// - Parameters:
///   - first: A value.
///   - second: Another value of this type.
///   - format: The marks before the lines.
public func diff<T>(_ first: T, _ second: T, format: DiffFormat = .default) -> String? {
  guard !isEqual(first, second) else { return nil }
  var differ = Differ(format: format)
  differ.diffUnequal(first, second, place: Place())
  return differ.text
}
