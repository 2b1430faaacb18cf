/// What a timeline needs to go on from a place.
struct ReplayMoment<State> {
  var state: State
  /// The bytes of the last value of each read, by its number.
  var lastValues: [Int: [UInt8]] = [:]
  var shared = SharedMoment()
  /// The first of the log's records that a replay goes on with; 0 where that is not known.
  var nextSequence: UInt64 = 0
  /// The action that led there; `nil` where it has to be read, if there is one.
  var action: Any?
}

/// States that a timeline has seen, to go back to: values, whose copies share what they hold.
///
/// Some are spread evenly over the whole way, as many as a limit allows; the last ones before the
/// place that was gone back to are all kept, so that each further step back costs nothing.
struct StateCache<State> {
  /// How many are spread over the whole way.
  static var spreadLimit: Int { 64 }
  /// How many are kept in a row.
  static var recentLimit: Int { 256 }

  private var spread: [Int: ReplayMoment<State>] = [:]
  private var stride = 1_024
  private var recent: [Int: ReplayMoment<State>] = [:]

  mutating func note(
    _ moment: @autoclosure () -> ReplayMoment<State>, at number: Int, isRecent: Bool
  ) {
    if isRecent {
      if self.recent.count >= 2 * Self.recentLimit { self.recent = [:] }
      self.recent[number] = moment()
    }
    guard number % self.stride == 0 else { return }
    self.spread[number] = moment()
    while self.spread.count > Self.spreadLimit {
      self.stride *= 2
      self.spread = self.spread.filter { $0.key % self.stride == 0 }
    }
  }

  /// The next number after a place whose state is kept.
  func nextStop(after number: Int) -> Int { (number / self.stride + 1) * self.stride }

  func nearest(upTo number: Int) -> (number: Int, moment: ReplayMoment<State>)? {
    var best: (number: Int, moment: ReplayMoment<State>)?
    if let moment = self.recent[number] { return (number, moment) }
    for (key, moment) in self.spread where key <= number && key > best?.number ?? -1 {
      best = (key, moment)
    }
    for (key, moment) in self.recent where key <= number && key > best?.number ?? -1 {
      best = (key, moment)
    }
    return best
  }
}
