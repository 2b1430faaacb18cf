/// A state that ends with the first action it sends, as that of an alert does.
///
/// `ifLet` makes it `nil` once one of its actions was handled. No reducer belongs to it.
public protocol _EphemeralState<Action> {
  /// What it sends.
  associatedtype Action

  /// The type of what it sends.
  static var actionType: Any.Type { get }
}

extension _EphemeralState {
  public static var actionType: Any.Type { Action.self }
}
