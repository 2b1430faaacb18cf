/// A key path to a case of an enum.
///
/// ```swift
/// let path: CaseKeyPath<Action, String> = \.factResponse
/// path("0 is a good number")            // Action.factResponse("0 is a good number")
/// action[case: path]                    // String?
/// ```
public typealias CaseKeyPath<Root, Value> = KeyPath<Case<Root>, Case<Value>>

/// A key path to a case of an enum, whose value's type is not known.
public typealias PartialCaseKeyPath<Root> = PartialKeyPath<Case<Root>>

extension KeyPath {
  /// Makes a value into the case that this key path names.
  public func callAsFunction<Enum, AssociatedValue>(_ value: AssociatedValue) -> Enum
  where Root == Case<Enum>, Value == Case<AssociatedValue> {
    AnyCasePath(self).embed(value)
  }

  /// The case that this key path names, when it has no value.
  public func callAsFunction<Enum>() -> Enum
  where Root == Case<Enum>, Value == Case<Void> {
    AnyCasePath(self).embed(())
  }
}

extension PartialKeyPath {
  /// Makes a value into the case that this key path names; nil when its type is not the case's.
  public func callAsFunction<Enum>(_ value: Any) -> Enum? where Root == Case<Enum> {
    (Case<Enum>()[keyPath: self] as? any ErasedCasePath)?.embedAny(value) as? Enum
  }
}

extension _AppendKeyPath {
  /// Matches a value of an enum against one of its cases, so that `switch` takes case key paths.
  public static func ~= <Enum: CasePathable>(lhs: Self, rhs: Enum) -> Bool
  where Self == PartialCaseKeyPath<Enum> {
    rhs.is(lhs)
  }

  /// Matches a value of an enum against one of its cases, so that `switch` takes case key paths.
  public static func ~= <Enum: CasePathable, AssociatedValue>(lhs: Self, rhs: Enum) -> Bool
  where Self == CaseKeyPath<Enum, AssociatedValue> {
    AnyCasePath(lhs).matches(rhs)
  }
}
