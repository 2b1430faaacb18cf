/// Why a value is loaded.
public enum LoadContext<Value> {
  /// A reference is made, whose default this is.
  case initialValue(Value)
  /// The program asked for it, by `load()`.
  case userInitiated

  /// The default of the reference that is made, `nil` when the program asked.
  public var initialValue: Value? {
    guard case .initialValue(let value) = self else { return nil }
    return value
  }
}

extension LoadContext: Sendable where Value: Sendable {}
extension LoadContext: Equatable where Value: Equatable {}
extension LoadContext: Hashable where Value: Hashable {}
