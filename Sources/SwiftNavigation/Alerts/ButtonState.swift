public import CustomDump
public import Foundation

/// A button of an alert or a dialog, and the action that it sends.
///
/// ```swift
/// ButtonState(role: .destructive, action: .confirmDeletion) {
///   TextState("Delete")
/// }
/// ```
public struct ButtonState<Action>: Identifiable {
  /// What tells this button from others. No part of the value: it is neither compared nor encoded.
  public let id: UUID

  /// The action that it sends, if any.
  public let action: ButtonStateAction<Action>

  /// What it says.
  public let label: TextState

  /// What it is for, which may change its place and look.
  public let role: ButtonStateRole?

  init(id: UUID, action: ButtonStateAction<Action>, label: TextState, role: ButtonStateRole?) {
    self.id = id
    self.action = action
    self.label = label
    self.role = role
  }

  /// Makes a button.
  ///
  /// - Parameters:
  ///   - role: What it is for.
  ///   - action: The action that it sends; by default it only closes what it is in.
  ///   - label: What it says.
  public init(
    role: ButtonStateRole? = nil,
    action: ButtonStateAction<Action> = .send(nil),
    label: () -> TextState
  ) {
    self.init(id: StateID.next(), action: action, label: label(), role: role)
  }

  /// Makes a button.
  ///
  /// - Parameters:
  ///   - role: What it is for.
  ///   - action: The action that it sends.
  ///   - label: What it says.
  public init(
    role: ButtonStateRole? = nil,
    action: Action,
    label: () -> TextState
  ) {
    self.init(id: StateID.next(), action: .send(action), label: label(), role: role)
  }

  /// Hands the button's action over, to be sent.
  public func withAction<R>(_ perform: (Action?) -> R) -> R {
    perform(self.action.action)
  }

  /// Hands the button's action over, to be sent.
  @MainActor
  public func withAction<R>(_ perform: @MainActor (Action?) async -> R) async -> R {
    await perform(self.action.action)
  }

  /// The button with another action.
  public func map<NewAction>(
    _ transform: (Action?) -> NewAction?
  ) -> ButtonState<NewAction> {
    ButtonState<NewAction>(
      id: self.id, action: self.action.map(transform), label: self.label, role: self.role)
  }
}

extension ButtonState: Equatable where Action: Equatable {
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.action == rhs.action && lhs.label == rhs.label && lhs.role == rhs.role
  }
}

extension ButtonState: Hashable where Action: Hashable {
  public func hash(into hasher: inout Hasher) {
    hasher.combine(self.action)
    hasher.combine(self.label)
    hasher.combine(self.role)
  }
}

extension ButtonState: Sendable where Action: Sendable {}

extension ButtonState: CustomDumpReflectable {
  public var customDumpMirror: Mirror {
    var children: [(label: String?, value: Any)] = []
    if let role = self.role { children.append(("role", role)) }
    children.append(("action", self.action))
    children.append(("label", self.label))
    return Mirror(self, children: children, displayStyle: .struct)
  }
}

/// What a button is for.
public enum ButtonStateRole: Codable, Hashable, Sendable {
  /// It leaves things as they are.
  case cancel
  /// It destroys something.
  case destructive
}
