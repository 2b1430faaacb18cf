extension Store where State: ObservableState, Action: BindableAction, Action.State == State {
  /// A value of the state. Writing it sends a binding action.
  public subscript<Value: Equatable & Sendable>(
    dynamicMember keyPath: WritableKeyPath<State, Value>
  ) -> Value {
    get { self.observedState[keyPath: keyPath] }
    set {
      self.sendBinding { report in
        .binding(BindingAction(keyPath: keyPath, value: newValue, report: report))
      } describing: {
        "\(shortTypeName(Action.self)).binding(.set(_, \(String(reflecting: newValue))))"
      }
    }
  }
}

extension Store
where
  State: ObservableState, Action: ViewAction, Action.ViewAction: BindableAction,
  Action.ViewAction.State == State
{
  /// A value of the state. Writing it sends a binding action of the view.
  public subscript<Value: Equatable & Sendable>(
    dynamicMember keyPath: WritableKeyPath<State, Value>
  ) -> Value {
    get { self.observedState[keyPath: keyPath] }
    set {
      self.sendBinding { report in
        .view(.binding(BindingAction(keyPath: keyPath, value: newValue, report: report)))
      } describing: {
        "\(shortTypeName(Action.self)).view(.binding(.set(_, \(String(reflecting: newValue)))))"
      }
    }
  }
}

extension Store {
  /// Sends a write, unless what it would write to has gone.
  fileprivate func sendBinding(
    _ action: (UnhandledBindingReport) -> Action, describing description: () -> String
  ) {
    guard !self.core.isInvalid else { return }
    self.send(action(UnhandledBindingReport(action: description())))
  }
}
