internal import Synchronization

/// The case of each type of action that holds bindings, found once.
///
/// An action is asked for its binding each time it runs: most are another case, which this tells
/// without reflection.
enum BindingCases {
  private static let tags = Mutex<[ObjectIdentifier: UInt32?]>([:])

  static func tag<Action>(of type: Action.Type, _ find: () -> UInt32?) -> UInt32? {
    let key = ObjectIdentifier(type)
    if let tag = self.tags.withLock({ $0[key] }) { return tag }
    let tag = find()
    self.tags.withLock { $0[key] = .some(tag) }
    return tag
  }
}
