/// The core of a store that shows a part of another one's state which may go away.
///
/// Once the part is gone it keeps the last state that was read, for whoever still shows it.
@MainActor
final class PartCore<ParentState, ParentAction, State, Action>:
  ChildCore<ParentState, ParentAction, State, Action>
{
  private let read: (ParentState) -> State?
  private let embed: (Action) -> ParentAction
  private var last: State

  /// - Parameters:
  ///   - base: The core of the whole.
  ///   - last: The part as it is now.
  ///   - read: Takes the part out of the whole, `nil` once it is gone.
  ///   - embed: Makes the part's actions those of the whole.
  init(
    base: StoreCore<ParentState, ParentAction>, last: State,
    read: @escaping (ParentState) -> State?, embed: @escaping (Action) -> ParentAction
  ) {
    self.last = last
    self.read = read
    self.embed = embed
    super.init(base: base)
  }

  override var state: State {
    if let state = self.read(self.base.state) { self.last = state }
    return self.last
  }

  override var isInvalid: Bool {
    self.base.isInvalid || self.read(self.base.state) == nil
  }

  override func send(_ action: Action, from sender: ActionSender) -> EffectScope? {
    self.base.send(self.embed(action), from: sender)
  }
}

/// The stores of parts that come and go, found again by id while somebody holds them.
@MainActor
final class PartStores<ID: Hashable, State, Action> {
  private struct Entry {
    weak var store: Store<State, Action>?
  }

  /// So few entries are not searched for those that are of no use any more.
  private static var smallCount: Int { 16 }

  private var entries: [ID: Entry] = [:]
  private var limit = smallCount

  var count: Int { self.entries.count }

  func store(
    for id: ID, making core: () -> StoreCore<State, Action>
  ) -> Store<State, Action> {
    if let store = self.entries[id]?.store { return store }
    let store = Store<State, Action>(core: core())
    self.entries[id] = Entry(store: store)
    if self.entries.count > self.limit {
      self.entries = self.entries.filter { $0.value.store != nil }
      self.limit = max(Self.smallCount, self.entries.count * 2)
    }
    return store
  }

  func forget(_ id: ID) {
    self.entries[id] = nil
  }
}

extension Store {
  /// The stores of the parts that two paths lead to.
  func parts<ID: Hashable, PartState, PartAction>(
    for id: ScopeID, _: PartStores<ID, PartState, PartAction>.Type
  ) -> PartStores<ID, PartState, PartAction> {
    if let parts = self.children[id] as? PartStores<ID, PartState, PartAction> { return parts }
    let parts = PartStores<ID, PartState, PartAction>()
    self.children.append(parts, for: id)
    return parts
  }
}
