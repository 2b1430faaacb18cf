import ComposableArchitecture

extension Node {
  /// Marks what an action has gone through to where it is now.
  func mark(_ action: Action) {
    switch action {
    case .leaf:
      reached(.nestedDependencies)
    case .optional:
      reached(.ifLet)
    case .note:
      reached(.ifLetEphemeral)
    case .rows:
      reached(.forEach)
      reached(.dependencyKeyPath)
      reached(.dependencyValue)
      reached(.identifiedAction)
      reached(.identifiedArray)
    case .children:
      reached(.transformDependency)
    case .destination(let action):
      reached(.presents)
      reached(.ifLetCaseReducer)
      self.mark(action)
    case .sheet:
      reached(.ifLetPresentation)
    case .alert:
      reached(.ifLetPresentationEphemeral)
    case .path(let action):
      reached(.forEachCaseReducer)
      switch action {
      case .element: reached(.stackElementAction)
      case .popFrom: reached(.stackPopAction)
      case .push: reached(.stackPushAction)
      }
    case .pages:
      reached(.forEachStack)
      reached(.printChanges)
    case .edit:
      break
    }
  }

  private func mark(_ action: PresentationAction<Destination.Action>) {
    switch action {
    case .dismiss:
      reached(.presentationDismiss)
    case .presented(.alert):
      reached(.presentationPresented)
      reached(.alertState)
    case .presented(.dialog):
      reached(.confirmationDialogState)
    case .presented:
      reached(.presentationPresented)
    }
  }
}
