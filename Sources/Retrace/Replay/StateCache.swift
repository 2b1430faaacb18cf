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
/// Some are spread evenly over the whole way, as many as a limit allows; the last ones before a place
/// that was stepped back to are all kept, so that each further step back costs nothing.
struct StateCache<State> {
  typealias Known = (number: Int, moment: ReplayMoment<State>)

  /// How many are spread over the whole way.
  static var spreadLimit: Int { 64 }
  /// How many are kept in a row.
  static var recentLimit: Int { 256 }
  /// Rows that are kept: the one that steps lead through, and the one that they came from.
  static var rowLimit: Int { 2 }

  /// In the order of their numbers.
  private var spread: [Known] = []
  private var stride = 1_024
  /// States after each action of a stretch, the latest stretch last.
  private var rows: [Row] = []

  private struct Row {
    var first: Int
    var moments: [ReplayMoment<State>]

    /// The number behind the last.
    var end: Int { self.first + self.moments.count }
  }

  /// How many of the last states on the way to a place are to be kept, so that going back from there
  /// costs no fold a step.
  ///
  /// Each that is kept is a copy of what the next action changes, and who goes far does not step.
  static func kept(from position: Int, to number: Int) -> Int {
    number < position && position - number <= Self.recentLimit ? Self.recentLimit : 0
  }

  mutating func note(
    _ moment: @autoclosure () -> ReplayMoment<State>, at number: Int, isRecent: Bool
  ) {
    if isRecent { self.keep(moment(), at: number) }
    guard number % self.stride == 0 else { return }
    let place = self.place(upTo: number)
    if place > 0, self.spread[place - 1].number == number {
      self.spread[place - 1].moment = moment()
      return
    }
    self.spread.insert((number, moment()), at: place)
    while self.spread.count > Self.spreadLimit {
      self.stride *= 2
      self.spread.removeAll { $0.number % self.stride != 0 }
    }
  }

  private mutating func keep(_ moment: ReplayMoment<State>, at number: Int) {
    let last = self.rows.count - 1
    if last >= 0, self.rows[last].end == number,
      self.rows[last].moments.count < Self.recentLimit
    {
      self.rows[last].moments.append(moment)
      return
    }
    if self.rows.count == Self.rowLimit { self.rows.removeFirst() }
    self.rows.append(Row(first: number, moments: [moment]))
  }

  /// The next number after a place whose state is kept.
  func nextStop(after number: Int) -> Int { (number / self.stride + 1) * self.stride }

  /// How many of the spread ones stand at or before a number.
  private func place(upTo number: Int) -> Int {
    var low = 0
    var high = self.spread.count
    while low < high {
      let middle = (low + high) / 2
      if self.spread[middle].number <= number { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The last known state at or before a number.
  func nearest(upTo number: Int) -> Known? {
    let place = self.place(upTo: number)
    var best = place > 0 ? self.spread[place - 1].number : -1
    var row: Row?
    for candidate in self.rows where candidate.first <= number {
      let nearest = min(number, candidate.end - 1)
      if nearest > best { (best, row) = (nearest, candidate) }
    }
    if let row { return (best, row.moments[best - row.first]) }
    return place > 0 ? self.spread[place - 1] : nil
  }
}
