/// States that a timeline has seen, to go back to: values, whose copies share what they hold.
///
/// Some are spread evenly over the whole way, as many as a limit allows; the last ones before the
/// place that was gone back to are all kept, so that each further step back costs nothing.
struct StateCache<State> {
  /// How many are spread over the whole way.
  static var spreadLimit: Int { 64 }
  /// How many are kept in a row.
  static var recentLimit: Int { 256 }

  private var spread: [Int: State] = [:]
  private var stride = 1_024
  private var recent: [Int: State] = [:]

  mutating func note(_ state: State, at number: Int, isRecent: Bool) {
    if isRecent {
      if self.recent.count >= 2 * Self.recentLimit { self.recent = [:] }
      self.recent[number] = state
    }
    guard number % self.stride == 0 else { return }
    self.spread[number] = state
    while self.spread.count > Self.spreadLimit {
      self.stride *= 2
      self.spread = self.spread.filter { $0.key % self.stride == 0 }
    }
  }

  func nearest(upTo number: Int) -> (number: Int, state: State)? {
    var best: (number: Int, state: State)?
    if let state = self.recent[number] { return (number, state) }
    for (key, state) in self.spread where key <= number && key > best?.number ?? -1 {
      best = (key, state)
    }
    for (key, state) in self.recent where key <= number && key > best?.number ?? -1 {
      best = (key, state)
    }
    return best
  }
}
