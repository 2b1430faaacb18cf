/// What a replay had only placeholders of, since it was redacted as it was recorded.
public struct Redactions: Hashable, Sendable, CustomStringConvertible {
  /// One value.
  public struct Item: Hashable, Sendable {
    /// The number of the action that held or read it; for what the first state held, that of the
    /// action before it, which is 0 for the initial state.
    public var action: Int
    /// Its path there.
    public var path: String
  }

  /// The most values that are named.
  static let itemLimit = 100

  /// How many there were.
  public private(set) var count = 0
  /// The first of them, at most 100.
  public private(set) var items: [Item] = []

  mutating func note(_ paths: [String], at number: Int) {
    guard !paths.isEmpty else { return }
    for path in paths {
      let item = Item(action: number, path: path)
      // A timeline may come by the same place again.
      if self.items.contains(item) { continue }
      self.count += 1
      if self.items.count < Self.itemLimit { self.items.append(item) }
    }
  }

  public var description: String {
    let named = self.items.prefix(3).map {
      "'\($0.path)' of \($0.action == 0 ? "the initial state" : "action \($0.action)")"
    }
    let rest = self.count - named.count
    return named.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }
}
