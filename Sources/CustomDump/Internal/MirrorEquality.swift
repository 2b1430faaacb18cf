/// Two objects that are being compared.
struct ObjectPair: Hashable {
  var first: ObjectIdentifier
  var second: ObjectIdentifier

  init(_ first: Any, _ second: Any) {
    self.first = ObjectIdentifier(first as AnyObject)
    self.second = ObjectIdentifier(second as AnyObject)
  }
}

/// Whether two values are equal: by `==` where they have it, else by what they hold.
func isEqual(_ first: Any, _ second: Any) -> Bool {
  // A list of what is left to compare, not recursion: a long chain must not use up the stack.
  var rest: [(first: Any, second: Any)] = [(first, second)]
  // Pairs of objects that are compared already: one that is met again closes a cycle.
  var pairs: Set<ObjectPair> = []
  while let (first, second) = rest.popLast() {
    if let first = first as? any Equatable {
      guard equates(first, second) else { return false }
      continue
    }
    if let first = first as? Any.Type, let second = second as? Any.Type {
      guard first == second else { return false }
      continue
    }
    let type: Any.Type = type(of: first)
    guard type == Swift.type(of: second) else { return false }
    if type is AnyClass {
      let pair = ObjectPair(first, second)
      if pair.first == pair.second || !pairs.insert(pair).inserted { continue }
    }
    let firstChildren: [Mirror.Child] = Mirror(customDumpReflecting: first).allChildren
    let secondChildren: [Mirror.Child] = Mirror(customDumpReflecting: second).allChildren
    guard firstChildren.count == secondChildren.count else { return false }
    if firstChildren.isEmpty, String(describing: first) != String(describing: second) {
      return false
    }
    for (first, second) in zip(firstChildren, secondChildren).reversed() {
      guard first.label == second.label else { return false }
      rest.append((first.value, second.value))
    }
  }
  return true
}

/// Whether two values claim to be the same thing, perhaps at two times; nil where they have no id.
func isSameIdentity(_ first: Any, _ second: Any) -> Bool? {
  guard let first = first as? any Identifiable else { return nil }
  func compare<Value: Identifiable>(_ first: Value) -> Bool {
    (second as? Value).map { $0.id == first.id } ?? false
  }
  return compare(first)
}

private func equates<Value: Equatable>(_ first: Value, _ second: Any) -> Bool {
  guard let second = second as? Value else { return false }
  return first == second
}

extension Mirror {
  fileprivate var allChildren: [Child] {
    (superclassMirror?.allChildren ?? []) + children
  }
}
