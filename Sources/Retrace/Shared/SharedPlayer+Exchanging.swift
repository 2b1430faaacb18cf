internal import ActionCoding
internal import Dependencies
internal import Sharing

/// The references that others than reducers have exchanged, as a replay comes by them.
struct PlayedExchanges {
  /// One that a replay can't do.
  private struct Obstacle {
    var was: Int
    var now: Int
    /// The number of the last action before.
    var number: Int
    /// `nil` in logs that do not tell.
    var reason: String?
  }

  /// Those that are to be done as soon as nobody changes the state.
  fileprivate var waiting: [(exchange: SharedExchange, number: Int)] = []
  /// In the order in which they came by at first.
  private var obstacles: [Obstacle] = []

  /// Whether something is to be done.
  var isWaiting: Bool { !self.waiting.isEmpty }

  /// The most obstacles that are kept.
  private static var limit: Int { 100 }

  /// Takes one that is to be done.
  ///
  /// - Parameter number: That of the last action before.
  mutating func take(_ exchange: SharedExchange, after number: Int) {
    self.waiting.append((exchange, number))
  }

  /// Leaves undone what is waiting, since the replay goes on elsewhere.
  mutating func forget() {
    if !self.waiting.isEmpty { self.waiting = [] }
  }

  /// Takes note of one that a replay can't do.
  ///
  /// - Parameter number: That of the last action before.
  mutating func note(_ payload: UnsafeRawBufferPointer, after number: Int) {
    var reader = RecordReader(payload)
    guard (try? reader.getByte()) != nil,
      let was = try? reader.getInt("The number of a shared value"),
      let now = try? reader.getInt("The number of a shared value")
    else { return }
    let reason = reader.remaining > 0 ? try? reader.getString() : nil
    self.add(Obstacle(was: was, now: now, number: number, reason: reason))
  }

  fileprivate mutating func note(_ exchange: SharedExchange, after number: Int, _ reason: String) {
    self.add(Obstacle(was: exchange.was, now: exchange.now, number: number, reason: reason))
  }

  private mutating func add(_ obstacle: Obstacle) {
    guard self.obstacles.count < Self.limit,
      !self.obstacles.contains(where: {
        ($0.was, $0.now, $0.number) == (obstacle.was, obstacle.now, obstacle.number)
      })
    else { return }
    self.obstacles.append(obstacle)
  }

  /// What may be why a replay differs in an action; `nil` where there is nothing.
  func hint(at number: Int, _ definitions: SharedDefinitions) -> String? {
    guard let obstacle = self.obstacles.last(where: { $0.number < number }) else { return nil }
    return """
      Outside of the reducers a 'Shared' of '\(definitions.name(of: obstacle.was))' was given \
      '\(definitions.name(of: obstacle.now))' before, as by 'load' or by setting a projected value. \
      A replay can't do that\(obstacle.reason.map { ". \($0) Where" } ?? ": where") the state \
      holds it, let a reducer do it.
      """
  }
}

// What others have put into the `Shared`s of a state is put there again.
extension SharedPlayer {
  /// What others have done that may be why a replay differs in an action; `nil` where there is
  /// nothing.
  func hint(at number: Int) -> String? { self.exchanges.hint(at: number, self.definitions) }

  /// Does the exchanges that have come by, in the state as it is there.
  func exchange<State>(in state: State, _ coder: ValueCoder<State>) {
    let waiting = self.exchanges.waiting
    self.exchanges.waiting = []
    // Nobody is to take this for what a reducer does.
    ReducerReads.without {
      let boxes = SharedBoxPlaces(in: state, coder)?.boxes ?? []
      for (exchange, number) in waiting {
        do throws(RecordDecodingError) {
          try self.exchange(exchange, boxes)
        } catch {
          self.exchanges.note(exchange, after: number, error.message)
        }
      }
    }
  }

  private func exchange(
    _ exchange: SharedExchange, _ boxes: [any ExchangeableBox]
  ) throws(RecordDecodingError) {
    for place in exchange.places {
      guard boxes.indices.contains(place) else {
        throw RecordDecodingError("The state has fewer 'Shared's than were recorded.", offset: 0)
      }
      let box = boxes[place]
      let root = try self.root(of: exchange, box.valueType)
      guard let content = box.content(exchange.steps, from: root) else {
        throw RecordDecodingError(
          exchange.steps.isEmpty
            ? "It is of another type than the 'Shared' that it was put into."
            : "There is no part '\(exchange.steps.joined())' of it.", offset: 0)
      }
      self.willPut(into: box)
      box.put(content)
    }
  }

  /// The root of a reference that is put into a box for values of a type.
  private func root(
    of exchange: SharedExchange, _ type: Any.Type
  ) throws(RecordDecodingError) -> any AnyRootReference {
    func open<Value>(
      _ type: Value.Type
    ) throws(RecordDecodingError) -> (any AnyRootReference)? {
      try self.reading { () throws(RecordDecodingError) in
        try self.typed(exchange.now, as: type)
      }
    }
    let root =
      exchange.steps.isEmpty
      ? try _openExistential(type, do: open) : self.entries[exchange.now]?.reference
    if let root { return root }
    throw RecordDecodingError(
      exchange.steps.isEmpty
        ? "Its value is not in the log." : "Nothing tells of which type the whole is.", offset: 0)
  }
}
