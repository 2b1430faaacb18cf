extension Node.State {
  /// What all the vaults in it share, at this time.
  var vaultValues: [VaultValues] {
    var values: [VaultValues] = []
    self.addVaultValues(to: &values)
    return values
  }

  private func addVaultValues(to values: inout [VaultValues]) {
    self.leaf.addVaultValues(to: &values)
    self.optional?.addVaultValues(to: &values)
    for row in self.rows { row.leaf.addVaultValues(to: &values) }
    for child in self.children { child.addVaultValues(to: &values) }
    if case .node(let node)? = self.destination { node.addVaultValues(to: &values) }
    for element in self.path {
      switch element {
      case .leaf(let row): row.leaf.addVaultValues(to: &values)
      case .node(let node): node.addVaultValues(to: &values)
      case .worker: break
      }
    }
  }
}

extension Leaf.State {
  fileprivate func addVaultValues(to values: inout [VaultValues]) {
    if case .vault(let vault) = self { values.append(VaultValues(vault)) }
  }
}
