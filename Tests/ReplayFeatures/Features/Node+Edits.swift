import ComposableArchitecture

extension Node {
  /// Changes the parts.
  func apply(_ edit: Edit, to state: inout State) {
    switch edit {
    case .addRow(let kind):
      // Ids that were used before are used again.
      let id = (0...state.rows.count).first { state.rows[id: $0] == nil } ?? 0
      state.rows.append(Row.State(id: id, leaf: Leaf.State(kind)))
    case .removeRow(let index):
      guard state.rows.indices.contains(index) else { return }
      state.rows.remove(at: index)
    case .moveRow(let first, let second):
      guard state.rows.indices.contains(first), state.rows.indices.contains(second) else { return }
      state.rows.swapAt(first, second)
    case .addChild(let kind):
      let id = (state.children.ids.max() ?? state.id * 10) + 1
      state.children.append(State(id: id, leaf: Leaf.State(kind)))
    case .removeChild(let index):
      guard state.children.indices.contains(index) else { return }
      state.children.remove(at: index)
    case .setOptional(let kind):
      state.optional = kind.map { Leaf.State($0) }
    case .showNote:
      state.note = Self.alert
    case .show(let screen):
      self.show(screen, in: &state)
    case .hide:
      state.destination = nil
      state.sheet = nil
    default:
      self.changeStacks(edit, in: &state)
    }
  }

  private func show(_ screen: Screen, in state: inout State) {
    switch screen {
    case .alert: state.destination = .alert(Self.alert)
    case .dialog: state.destination = .dialog(Self.dialog)
    case .form: state.destination = .form(Form.State())
    case .worker: state.destination = .worker(Worker.State())
    case .node:
      state.destination = .node(State(id: state.id + 1, leaf: .reader(Reader.State())))
    case .sheet: state.sheet = Worker.State()
    case .presentedAlert: state.alert = Self.alert
    }
  }

  private func changeStacks(_ edit: Edit, in state: inout State) {
    switch edit {
    case .push(let kind):
      reached(.stackElementID)
      if case .worker = kind {
        state.path.append(.worker(Worker.State()))
      } else {
        state.path.append(.leaf(Row.State(id: state.path.count, leaf: Leaf.State(kind))))
      }
    case .pushNode(let kind):
      state.path.append(.node(State(id: state.id + 1, leaf: Leaf.State(kind))))
    case .pop(let index):
      guard state.path.ids.indices.contains(index) else { return }
      reached(.stackPopFrom)
      state.path.pop(from: state.path.ids[index])
    case .popTo(let index):
      guard state.path.ids.indices.contains(index) else { return }
      reached(.stackPopTo)
      state.path.pop(to: state.path.ids[index])
    case .replacePath(let count):
      reached(.stackState)
      state.path = StackState((0..<count).map { _ in .worker(Worker.State()) })
    case .pushPage(let count):
      state.pages.append(Counter.State(count: count))
      if state.pages.count > 4 { state.pages.removeFirst() }
    case .touchPages:
      for id in state.pages.ids {
        reached(.stackIDs)
        state.pages[id: id]?.count &+= 1
      }
      for id in state.path.ids {
        guard state.path[id: id, case: \.worker] != nil else { continue }
        reached(.stackCase)
        state.path[id: id, case: \.worker]?.starts += 1
      }
      if state.pages.contains(where: { $0.count % 5 == 0 }) { reached(.stackCollection) }
      if var page = state.pages.last {
        page.log.append(page.count)
        state.pages.removeLast()
        state.pages.append(page)
      }
    default:
      break
    }
  }

  private static var alert: AlertState<Choice> {
    AlertState {
      TextState("Sure?")
    } actions: {
      ButtonState(role: .destructive, action: .send(.yes)) { TextState("Yes") }
      ButtonState(action: .number(3)) { TextState("Three") }
      ButtonState(role: .cancel) { TextState("No") }
    } message: {
      TextState("It can't be undone.")
    }
  }

  private static var dialog: ConfirmationDialogState<Choice> {
    ConfirmationDialogState(titleVisibility: .visible) {
      TextState("Which?")
    } actions: {
      ButtonState(action: .number(1)) { TextState("One") }
      ButtonState(action: .number(2)) { TextState("Two") }
    }
  }
}

extension Leaf.State {
  /// A small feature as it begins.
  init(_ kind: Node.Kind) {
    switch kind {
    case .counter: self = .counter(Counter.State())
    case .reader: self = .reader(Reader.State())
    case .bag: self = .bag(Bag.State())
    case .form: self = .form(Form.State())
    case .screen: self = .screen(Screen.State())
    case .phase: self = .phase(.waiting(Counter.State()))
    case .worker: self = .worker(Worker.State())
    case .popup: self = .popup(Popup.State())
    case .vault: self = .vault(Vault.State())
    }
  }
}
