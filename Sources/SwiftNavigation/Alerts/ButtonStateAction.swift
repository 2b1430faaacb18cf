public import CustomDump

/// What a button does.
public struct ButtonStateAction<Action> {
  /// How an action is sent.
  public let type: _ActionType

  /// How an action is sent.
  public enum _ActionType {
    case send(Action?)
  }

  /// Sends an action, or none.
  public static func send(_ action: Action?) -> Self {
    Self(type: .send(action))
  }

  /// The action that is sent, if any.
  public var action: Action? {
    switch self.type {
    case .send(let action): action
    }
  }

  /// The same with another action.
  public func map<NewAction>(
    _ transform: (Action?) -> NewAction?
  ) -> ButtonStateAction<NewAction> {
    .send(transform(self.action))
  }
}

extension ButtonStateAction: Equatable where Action: Equatable {}
extension ButtonStateAction: Hashable where Action: Hashable {}
extension ButtonStateAction: Sendable where Action: Sendable {}
extension ButtonStateAction._ActionType: Equatable where Action: Equatable {}
extension ButtonStateAction._ActionType: Hashable where Action: Hashable {}
extension ButtonStateAction._ActionType: Sendable where Action: Sendable {}

extension ButtonStateAction: CustomDumpReflectable {
  public var customDumpMirror: Mirror {
    Mirror(self, children: ["send": self.action as Any], displayStyle: .enum)
  }
}
