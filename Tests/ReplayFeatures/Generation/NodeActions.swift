import ComposableArchitecture

extension Node.State {
  /// Something that may be sent to the feature as it is now, or to one of its parts.
  func action(_ random: inout SplitMix) -> Node.Action {
    // Where there is no such part another one is chosen.
    for _ in 0..<4 {
      if let action = self.partAction(random.below(12), &random) { return action }
    }
    return .edit(.random(in: self, &random))
  }

  private func partAction(_ part: Int, _ random: inout SplitMix) -> Node.Action? {
    switch part {
    case 0:
      return .leaf(self.leaf.action(&random))
    case 1:
      return self.optional.map { .optional($0.action(&random)) }
    case 2:
      return self.note.map { _ in .note(.random(&random)) }
    case 3:
      guard let row = self.rows.randomElement(using: &random) else { return nil }
      if random.once(in: 8) {
        reached(.identifiedCasePaths)
        return (\Node.Action.Cases.rows)(.element(id: row.id, action: .remove))
      }
      return .rows(.element(id: row.id, action: row.action(&random)))
    case 4:
      guard let child = self.children.randomElement(using: &random) else { return nil }
      return .children(.element(id: child.id, action: child.action(&random)))
    case 5:
      return self.destination.map { .destination($0.action(&random)) }
    case 6:
      guard self.sheet != nil else { return nil }
      return .sheet(random.once(in: 8) ? .dismiss : .presented(.random(&random)))
    case 7:
      guard self.alert != nil else { return nil }
      return .alert(random.once(in: 3) ? .dismiss : .presented(.random(&random)))
    case 8, 9:
      return self.pathAction(&random)
    case 10:
      guard let id = self.pages.ids.randomElement(using: &random) else { return nil }
      return .pages(
        random.once(in: 8)
          ? .popFrom(id: id) : .element(id: id, action: .random(&random)))
    default:
      return .edit(.random(in: self, &random))
    }
  }

  private func pathAction(_ random: inout SplitMix) -> Node.Action? {
    guard let id = self.path.ids.randomElement(using: &random), let element = self.path[id: id]
    else { return nil }
    if random.once(in: 12) { return .path(.popFrom(id: id)) }
    switch element {
    case .leaf(let row): return .path(.element(id: id, action: .leaf(row.action(&random))))
    case .worker: return .path(.element(id: id, action: .worker(.random(&random))))
    case .node(let node): return .path(.element(id: id, action: .node(node.action(&random))))
    }
  }
}

extension Row.State {
  /// Something that may be sent to the row as it is now.
  func action(_ random: inout SplitMix) -> Row.Action {
    if case .counter = self.leaf, random.once(in: 3) { return .visit }
    return .leaf(self.leaf.action(&random))
  }
}

extension Node.Destination.State {
  /// Something that may be sent to what is presented.
  func action(_ random: inout SplitMix) -> PresentationAction<Node.Destination.Action> {
    if random.once(in: 8) { return .dismiss }
    return switch self {
    case .alert: .presented(.alert(.random(&random)))
    case .dialog: .presented(.dialog(.random(&random)))
    case .form: .presented(.form(.random(&random)))
    case .worker: .presented(.worker(.random(&random)))
    case .node(let node): .presented(.node(node.action(&random)))
    }
  }
}

extension Node.Choice {
  static func random(_ random: inout SplitMix) -> Self {
    random.once(in: 2) ? .yes : .number(random.below(9))
  }
}

extension Node.Kind {
  static func random(_ random: inout SplitMix) -> Self { random.one(of: Self.allCases) }
}

extension Node.Edit {
  /// A change that may be made to a node as it is now. Nodes do not grow without limits.
  static func random(in state: Node.State, _ random: inout SplitMix) -> Self {
    switch random.below(20) {
    case 0, 1, 2:
      return state.rows.count < 5
        ? .addRow(.random(&random)) : .removeRow(random.below(state.rows.count))
    case 3: return .removeRow(random.below(6))
    case 4: return .moveRow(random.below(3), random.below(3))
    case 5:
      return state.children.count < 2 && state.id < 1_000
        ? .addChild(.random(&random)) : .removeChild(random.below(2))
    case 6: return .removeChild(random.below(4))
    case 7: return .setOptional(random.once(in: 4) ? nil : .random(&random))
    case 8, 9, 10: return .show(random.one(of: Node.Screen.allCases))
    case 11: return .showNote
    case 12: return .hide
    case 13, 14: return state.path.count < 4 ? .push(.random(&random)) : .pop(random.below(4))
    case 15: return state.path.count < 4 ? .pushNode(.random(&random)) : .pop(random.below(4))
    case 16: return random.once(in: 2) ? .pop(random.below(3)) : .popTo(random.below(3))
    case 17: return .replacePath(random.below(3))
    case 18: return .pushPage(random.below(9))
    default: return .touchPages
    }
  }
}

extension Node.State {
  /// A node of random parts.
  static func random(_ random: inout SplitMix, id: Int = 1, depth: Int = 2) -> Self {
    var state = Node.State(id: id, leaf: Leaf.State(.random(&random)))
    if random.once(in: 2) { state.optional = Leaf.State(.random(&random)) }
    for index in 0..<random.below(4) {
      state.rows.append(Row.State(id: index, leaf: Leaf.State(.random(&random))))
    }
    if random.once(in: 3) { state.sheet = Worker.State() }
    if depth > 0 {
      for index in 0..<random.below(3) {
        state.children.append(.random(&random, id: id * 10 + index + 1, depth: depth - 1))
      }
      if random.once(in: 3) {
        state.destination = .node(.random(&random, id: id + 1, depth: depth - 1))
      }
    }
    if random.once(in: 3) {
      state.path.append(.worker(Worker.State()))
      if depth > 0 { state.path.append(.node(.random(&random, id: id + 2, depth: depth - 1))) }
    }
    return state
  }
}
