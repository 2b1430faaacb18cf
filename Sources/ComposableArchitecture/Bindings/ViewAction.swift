/// An action with a case for what the view sends.
public protocol ViewAction<ViewAction> {
  /// What the view sends.
  associatedtype ViewAction

  /// Embeds what the view sends.
  static func view(_ action: ViewAction) -> Self
}

/// A view, or whatever stands in for one, that sends only the actions meant for it.
@MainActor
public protocol ViewActionSending<StoreState, StoreAction> {
  /// The state of the feature.
  associatedtype StoreState

  /// The actions of the feature.
  associatedtype StoreAction: ViewAction

  /// The store of the feature.
  var store: Store<StoreState, StoreAction> { get }
}

extension ViewActionSending {
  /// Sends an action of the view to the feature.
  @discardableResult
  public func send(_ action: StoreAction.ViewAction) -> StoreTask {
    self.store.send(.view(action))
  }
}
