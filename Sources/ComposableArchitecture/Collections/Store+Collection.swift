public import CasePaths
public import IdentifiedCollections

extension Store where State: ObservableState {
  /// The stores of the features in an identified collection, in its order.
  ///
  /// Reading it is observed: who reads hears when an element comes, goes or moves.
  ///
  /// - Parameters:
  ///   - state: The way to the collection.
  ///   - action: The case of the elements' actions.
  public func scope<ElementID: Hashable & Sendable, ElementState, ElementAction>(
    _ state: KeyPath<State, IdentifiedArray<ElementID, ElementState>>,
    action: KeyPath<
      Action.AllCasePaths, AnyCasePath<Action, IdentifiedAction<ElementID, ElementAction>>
    >
  ) -> _StoreCollection<ElementID, ElementState, ElementAction> where Action: CasePathable {
    self.elements(
      at: ScopeID(state: state, action: action), state, AnyCasePath(property: action))
  }

  /// The stores of the features in an identified collection, in its order.
  @_disfavoredOverload
  public func scope<ElementID: Hashable & Sendable, ElementState, ElementAction>(
    _ state: KeyPath<State, IdentifiedArray<ElementID, ElementState>>,
    action: CaseKeyPath<Action, IdentifiedAction<ElementID, ElementAction>>
  ) -> _StoreCollection<ElementID, ElementState, ElementAction> {
    self.elements(at: ScopeID(state: state, action: action), state, AnyCasePath(action))
  }

  /// The stores of the features in an identified collection, in its order.
  public func scope<ElementID: Hashable & Sendable, ElementState, ElementAction>(
    state: KeyPath<State, IdentifiedArray<ElementID, ElementState>>,
    action: KeyPath<
      Action.AllCasePaths, AnyCasePath<Action, IdentifiedAction<ElementID, ElementAction>>
    >
  ) -> _StoreCollection<ElementID, ElementState, ElementAction> where Action: CasePathable {
    self.scope(state, action: action)
  }

  /// The stores of the features in an identified collection, in its order.
  @_disfavoredOverload
  public func scope<ElementID: Hashable & Sendable, ElementState, ElementAction>(
    state: KeyPath<State, IdentifiedArray<ElementID, ElementState>>,
    action: CaseKeyPath<Action, IdentifiedAction<ElementID, ElementAction>>
  ) -> _StoreCollection<ElementID, ElementState, ElementAction> {
    self.scope(state, action: action)
  }

  private func elements<ElementID: Hashable & Sendable, ElementState, ElementAction>(
    at id: ScopeID, _ state: KeyPath<State, IdentifiedArray<ElementID, ElementState>>,
    _ path: AnyCasePath<Action, IdentifiedAction<ElementID, ElementAction>>
  ) -> _StoreCollection<ElementID, ElementState, ElementAction> {
    let elements: IdentifiedArray<ElementID, ElementState> = self.observedState[keyPath: state]
    let parts = self.parts(for: id, PartStores<ElementID, ElementState, ElementAction>.self)
    let core = self.core
    return _StoreCollection(elements: elements) { id, element in
      parts.store(for: id) {
        PartCore(
          base: core, last: element, read: { $0[keyPath: state][id: id] },
          embed: { path.embed(.element(id: id, action: $0)) })
      }
    }
  }
}

/// The stores of the features in an identified collection, made when they are asked for.
///
/// To be used on the main actor; elsewhere its elements can't be read, and trying to traps.
public struct _StoreCollection<ID: Hashable & Sendable, State, Action>: RandomAccessCollection {
  private let elements: IdentifiedArray<ID, State>
  private let store: @MainActor (ID, State) -> Store<State, Action>

  init(
    elements: IdentifiedArray<ID, State>,
    store: @escaping @MainActor (ID, State) -> Store<State, Action>
  ) {
    self.elements = elements
    self.store = store
  }

  public var startIndex: Int { self.elements.startIndex }
  public var endIndex: Int { self.elements.endIndex }

  public subscript(position: Int) -> Store<State, Action> {
    // Only what is used at once, on the actor that is checked to be this one.
    nonisolated(unsafe) let collection = self
    return MainActor.assumeIsolated {
      collection.store(collection.elements.ids[position], collection.elements[position])
    }
  }
}
