extension Store {
  /// The store of a feature on a stack.
  ///
  /// - Parameter component: The element of the stack, with its id.
  public func scope<ElementState, ElementAction>(
    component: StackState<ElementState>.Component
  ) -> Store<ElementState, ElementAction>
  where
    State == StackState<ElementState>, Action == StackAction<ElementState, ElementAction>
  {
    let id = component.id
    return self.parts(
      for: ScopeID(
        state: \StackState<ElementState>.self,
        action: \Case<StackAction<ElementState, ElementAction>>.self),
      PartStores<StackElementID, ElementState, ElementAction>.self
    ).store(for: id) {
      PartCore(
        base: self.core, last: component.element, read: { $0[id: id] },
        embed: { .element(id: id, action: $0) })
    }
  }
}
