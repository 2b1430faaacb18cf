import ComposableArchitecture

// Actions sent as views send them: to the stores of the parts.

extension RunDriver {
  /// Sends something to a store of a part, if there is one of the kind that was chosen.
  func sendToPart(of store: StoreOf<Node>, _ random: inout SplitMix) {
    switch random.below(9) {
    case 0:
      reached(.storeScope)
      self.send(to: store.scope(\.leaf, action: \.leaf), &random)
    case 1:
      let optional =
        random.once(in: 2)
        ? store.scope(\.optional, action: \.optional)
        : store.scope(state: \.optional, action: \.optional)
      guard let optional else { return }
      reached(.storeScopeOptional)
      reached(.storeScopeStateOptional)
      self.send(to: optional, &random)
    case 2:
      self.sendToRow(of: store, &random)
    case 3:
      let children = store.scope(state: \.children, action: \.children)
      guard !children.isEmpty else { return }
      reached(.storeScopeStateRows)
      self.sendToPart(of: children[random.below(children.count)], &random)
    case 4:
      guard let sheet = store.scope(state: \.sheet, action: \.sheet.presented) else { return }
      reached(.presentationCasePaths)
      self.keep(sheet.send(.random(&random)))
    case 5:
      guard let destination = store.scope(state: \.destination, action: \.destination.presented)
      else { return }
      self.send(to: destination, &random)
    case 6:
      self.sendToPath(of: store, &random)
    case 7:
      guard store.destination?.is(\.worker) == true else { return }
      reached(.presentationCase)
      self.keep(store.send(.destination(.presented(.worker(.random(&random))))))
    default:
      self.look(at: store, &random)
    }
  }

  private func sendToRow(of store: StoreOf<Node>, _ random: inout SplitMix) {
    let rows = store.scope(\.rows, action: \.rows)
    guard !rows.isEmpty else { return }
    reached(.storeScopeRows)
    let row = rows[random.below(rows.count)]
    if random.once(in: 2) {
      self.keep(row.send(row.withState { $0 }.action(&random)))
    } else {
      reached(.storeScopeState)
      self.send(to: row.scope(state: \.leaf, action: \.leaf), &random)
    }
  }

  private func sendToPath(of store: StoreOf<Node>, _ random: inout SplitMix) {
    let path = store.scope(\.path, action: \.path)
    let stack = path.withState { $0 }
    guard !stack.isEmpty else {
      self.keep(path.send(.push(id: self.world.ids.next(), state: .worker(Worker.State()))))
      return
    }
    if random.once(in: 4), let id = stack.ids.last {
      reached(.stackCasePaths)
      let action: Node.Action = (\Node.Action.Cases.path.popFrom)(id)
      self.keep(store.send(action))
      return
    }
    let element = path.scope(component: stack.path[random.below(stack.count)])
    reached(.storeScopeComponent)
    switch element.case {
    case .leaf(let row): self.send(to: row.scope(\.leaf, action: \.leaf), &random)
    case .worker(let worker): self.keep(worker.send(.random(&random)))
    case .node(let node): self.sendToPart(of: node, &random)
    }
  }

  private func send(
    to destination: Store<Node.Destination.State, Node.Destination.Action>,
    _ random: inout SplitMix
  ) {
    switch destination.case {
    case .form(let form): self.write(to: form, &random)
    case .worker(let worker): self.keep(worker.send(.random(&random)))
    case .node(let node): self.sendToPart(of: node, &random)
    case .alert, .dialog: break
    }
  }

  /// Sends something to a small feature, and where it is a form writes to its members.
  private func send(to store: Store<Leaf.State, Leaf.Action>, _ random: inout SplitMix) {
    reached(.storeCase)
    switch store.case {
    case .form(let form):
      self.write(to: form, &random)
    case .screen(let screen):
      reached(.storeBindingView)
      if random.once(in: 2) {
        screen.level = random.below(9)
      } else {
        self.keep(ScreenView(store: screen).load())
      }
    case .counter, .reader, .bag, .phase, .worker, .popup, .vault:
      self.keep(store.send(store.withState { $0 }.action(&random)))
    }
  }

  private func write(to form: StoreOf<Form>, _ random: inout SplitMix) {
    reached(.storeBinding)
    reached(.bindingAction)
    switch random.below(4) {
    case 0: form.name = "\(random.below(100))"
    case 1: form.isOn.toggle()
    case 2: form.size.width += 1
    default:
      reached(.bindableSet)
      self.keep(form.send(.set(\.isOn, true)))
    }
  }

  /// Reads a store in the other ways that there are; nothing may come of it.
  private func look(at store: StoreOf<Node>, _ random: inout SplitMix) {
    let rows = store.rows
    reached(.storeDynamicMember)
    _ = store.state.choices
    reached(.storeState)
    if store == store, store.id == ObjectIdentifier(store) { reached(.storeIdentity) }
    _ = store.publisher.rows
    reached(.storePublisher)
    guard let first = rows.first else { return }
    _ = store.scope(state: \.rows[id: first.id], action: \.rows[id: first.id])
  }
}
