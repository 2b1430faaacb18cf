/// An action with a case for the bindings of its state.
public protocol BindableAction<State> {
  /// The state that is bound to.
  associatedtype State

  /// Embeds the writing of a value.
  static func binding(_ action: BindingAction<State>) -> Self

  /// The writing of a value, `nil` when this is another action.
  var binding: BindingAction<State>? { get }
}

extension BindableAction {
  public var binding: BindingAction<State>? {
    guard let tag = EnumCase.tag(of: self) else { return nil }
    let bindingTag = BindingCases.tag(of: Self.self) {
      EnumCase.tag(of: Self.binding(BindingAction(probe: ())))
    }
    guard tag == bindingTag else { return nil }
    return Mirror(reflecting: self).children.first?.value as? BindingAction<State>
  }

  /// Writes a value.
  ///
  /// - Parameters:
  ///   - keyPath: The way to the value.
  ///   - value: What is written.
  public static func set<Value: Equatable & Sendable>(
    _ keyPath: WritableKeyPath<State, Value>, _ value: Value
  ) -> Self where State: ObservableState {
    .binding(.set(keyPath, value))
  }
}
