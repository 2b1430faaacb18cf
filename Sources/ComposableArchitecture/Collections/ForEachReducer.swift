public import CasePaths
internal import ConcurrencyExtras
public import IdentifiedCollections

extension Reducer {
  /// Embeds the features in an identified collection.
  ///
  /// An element runs before this reducer. Its effects are cancelled once it is not in the collection
  /// any more.
  ///
  /// - Parameters:
  ///   - elements: The way to the collection.
  ///   - action: The case of the elements' actions.
  ///   - element: The feature of an element.
  @warn_unqualified_access
  public func forEach<ElementState, ElementAction, ID: Hashable & Sendable, Element: Reducer>(
    _ elements: WritableKeyPath<State, IdentifiedArray<ID, ElementState>>,
    action: KeyPath<Action.AllCasePaths, AnyCasePath<Action, IdentifiedAction<ID, ElementAction>>>,
    @ReducerBuilder<ElementState, ElementAction> element: () -> Element,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> _ForEachReducer<Self, ID, Element>
  where Action: CasePathable, Element.State == ElementState, Element.Action == ElementAction {
    _ForEachReducer(
      parent: self, elementsPath: elements, actionPath: AnyCasePath(property: action),
      element: element(),
      place: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Embeds the features in an identified collection.
  ///
  /// An element runs before this reducer. Its effects are cancelled once it is not in the collection
  /// any more.
  ///
  /// - Parameters:
  ///   - elements: The way to the collection.
  ///   - action: The case of the elements' actions.
  ///   - element: The feature of an element.
  @warn_unqualified_access
  @_disfavoredOverload
  public func forEach<ElementState, ElementAction, ID: Hashable & Sendable, Element: Reducer>(
    _ elements: WritableKeyPath<State, IdentifiedArray<ID, ElementState>>,
    action: CaseKeyPath<Action, IdentifiedAction<ID, ElementAction>>,
    @ReducerBuilder<ElementState, ElementAction> element: () -> Element,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> _ForEachReducer<Self, ID, Element>
  where Element.State == ElementState, Element.Action == ElementAction {
    _ForEachReducer(
      parent: self, elementsPath: elements, actionPath: AnyCasePath(action), element: element(),
      place: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }
}

/// A reducer with a collection of features.
public struct _ForEachReducer<Parent: Reducer, ID: Hashable & Sendable, Element: Reducer>: Reducer {
  let parent: Parent
  let elementsPath: WritableKeyPath<Parent.State, IdentifiedArray<ID, Element.State>>
  let actionPath: AnyCasePath<Parent.Action, IdentifiedAction<ID, Element.Action>>
  let element: Element
  let place: SourcePlace

  public func _reduce(
    into state: inout Parent.State, action: Parent.Action
  ) -> Effect<Parent.Action> {
    let entered = ReducingThread.enter()
    defer { ReducingThread.leave(entered) }
    guard case .element(let id, let elementAction)? = self.actionPath.extract(from: action) else {
      return self.reduceParent(into: &state, action: action)
    }
    guard state[keyPath: self.elementsPath].index(id: id) != nil else {
      self.reportMissingElement(id, action)
      return self.reduceParent(into: &state, action: action)
    }
    let path = self.path(of: id, under: currentNavigationPath())
    let elementEffect = modifyValue(of: &state, at: self.elementsPath) {
      reduceChild(self.element, at: path, into: &$0[id: id]!, action: elementAction)
    }.ofChild(at: path) { [actionPath = self.actionPath] in
      actionPath.embed(.element(id: id, action: $0))
    }
    return elementEffect.merge(with: self.reduceParent(into: &state, action: action))
  }

  /// Runs the parent, and cancels the effects of the elements that it removed.
  private func reduceParent(
    into state: inout Parent.State, action: Parent.Action
  ) -> Effect<Parent.Action> {
    let before = state[keyPath: self.elementsPath].ids
    let effect = self.parent._reduce(into: &state, action: action)
    let elements = state[keyPath: self.elementsPath]
    guard !before.isEmpty, before != elements.ids else { return effect }
    let gone = before.filter { elements.index(id: $0) == nil }
    guard !gone.isEmpty else { return effect }
    let here = currentNavigationPath()
    return effect.merge(with: .merge(gone.map { .cancelChild(at: self.path(of: $0, under: here)) }))
  }

  private func path(of id: ID, under path: NavigationPath) -> NavigationPath {
    ElementPlace(id, of: self.elementsPath, in: path, isPresented: false)
  }

  private func reportMissingElement(_ id: ID, _ action: Parent.Action) {
    self.place.report(
      """
      A "forEach" at "\(self.place.fileID):\(self.place.line)" received an action for a missing \
      element. …

        Action:
          \(describeCase(action))
        ID:
          \(id)

      An element can't run once it is not in the collection. Either a reducer removed it before \
      this one ran: let "forEach" come first; or an effect outlived the element: start it in the \
      element's reducer, so that it is cancelled with the element; or the action was sent after the \
      element had gone.
      """
    )
  }
}
