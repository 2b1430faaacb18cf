internal import ActionCoding

/// How the values of a stream are read as those of today's types.
struct RecordedTypes<State, Action> {
  /// How today's program writes them.
  let stateCoder: ValueCoder<State>
  let actionCoder: ValueCoder<Action>
  let stateSchema: RecordSchema
  let actionSchema: RecordSchema
  /// How what was recorded is read.
  let stateReader: ValueCoder<State>
  let actionReader: ValueCoder<Action>
  let recordedState: RecordSchema
  let recordedAction: RecordSchema
  /// `nil` where states have the same form today.
  private let stateResolution: RecordResolution?
  private let actionResolution: RecordResolution?

  init(of stream: StreamInfo, migrations: [RecordMigration]) throws(ReplayError) {
    let stateCoder = ValueCoder<State>()
    let actionCoder = ValueCoder<Action>()
    self.stateCoder = stateCoder
    self.actionCoder = actionCoder
    self.stateSchema = stateCoder.schema
    self.actionSchema = actionCoder.schema
    self.recordedState = stream.stateSchema
    self.recordedAction = stream.actionSchema
    self.stateReader = try Self.reader("state", stateCoder, stream, stream.stateSchema, migrations)
    self.actionReader = try Self.reader(
      "action", actionCoder, stream, stream.actionSchema, migrations)
    self.stateResolution = Self.resolution(stream.stateSchema, self.stateSchema, migrations)
    self.actionResolution = Self.resolution(stream.actionSchema, self.actionSchema, migrations)
  }

  private static func reader<Value>(
    _ what: String, _ coder: ValueCoder<Value>, _ stream: StreamInfo, _ schema: RecordSchema,
    _ migrations: [RecordMigration]
  ) throws(ReplayError) -> ValueCoder<Value> {
    do throws(RecordDecodingError) {
      return try coder.reading(schema, migrations: migrations)
    } catch {
      throw ReplayError(
        .otherTypes,
        """
        '\(stream.name)' of run \(stream.run) was recorded with another type of \(what) than this \
        program has. \(error.message) Give the timeline a migration that tells what has changed, \
        replay it with the program that recorded it, or look at it with 'retrace log', which needs \
        no types.
        """)
    }
  }

  private static func resolution(
    _ written: RecordSchema, _ current: RecordSchema, _ migrations: [RecordMigration]
  ) -> RecordResolution? {
    let resolution = RecordResolution(from: written, to: current, migrations: migrations)
    return resolution.isIdentity ? nil : resolution
  }

  /// Reads a recorded state and the shared values that stand with it, behind the header.
  func readState(
    _ reader: inout RecordReader, _ shared: SharedPlayer
  ) throws(RecordDecodingError) -> (State, SharedMoment) {
    let values = try SharedValues(from: &reader)
    let coder = self.stateReader
    let state = try shared.reading(values) { () throws(RecordDecodingError) in
      try coder.decode(from: &reader)
    }
    return (state, try shared.moment(of: values))
  }

  /// An error in a recorded action, with the path to where it is.
  func located(
    _ error: RecordDecodingError, inAction payload: UnsafeRawBufferPointer, number: Int
  ) -> RecordDecodingError {
    var reader = RecordReader(payload)
    guard let header = try? ActionHeader(number: number, from: &reader), !header.isAbsent else {
      return error
    }
    let value = UnsafeRawBufferPointer(rebasing: payload.dropFirst(reader.offset))
    return self.recordedAction.located(error, in: value)
  }

  /// Whether recorded states are bytes that today's program would have written.
  var hasSameStates: Bool { self.stateResolution == nil }
  var hasSameActions: Bool { self.actionResolution == nil }

  /// What the change of the types does to the values that a log has of them.
  func verdict(state: RecordUsage, action: RecordUsage) -> RecordVerdict {
    let found = [
      self.stateResolution?.verdict(of: state), self.actionResolution?.verdict(of: action),
    ]
    return RecordVerdict(findings: found.flatMap { $0?.findings ?? [] })
  }

  /// The first value in which a recorded state and a replayed one differ; `nil` where they agree in
  /// all that both have.
  ///
  /// - Parameters:
  ///   - redacted: The paths of what the recorded one has a placeholder of.
  ///   - shared: What the replayed state shares.
  ///   - values: What stood with the recorded one.
  func difference(
    from recorded: UnsafeRawBufferPointer, to state: State, redacted: [String],
    _ shared: SharedPlayer, _ values: SharedValues
  ) throws -> ValueDifference? {
    let coder = self.stateCoder
    let replayed = try shared.writing { () throws(RecordOverflow) in try coder.bytes(of: state) }
    let difference = shared.firstDifference(from: values)
    if self.hasSameStates, difference == nil, recorded.elementsEqual(replayed) { return nil }
    let resolution = SharedResolution(values, shared.definitions)
    let written = resolution.resolve(
      try RecordValue(Array(recorded), schema: self.recordedState))
    var expected = written
    if let stateResolution = self.stateResolution {
      expected = resolution.resolve(
        try RecordValue(stateResolution.translate(recorded), schema: self.stateSchema))
    }
    let actual = SharedResolution().resolve(
      try RecordValue(coder.bytes(of: state), schema: self.stateSchema))
    let changes = expected.differences(from: actual)
    // A shared value that no state shows, as far as the types are the same.
    if changes.isEmpty, self.hasSameStates { return difference }
    return changes.first { change in
      // Of what was redacted there is only a placeholder in the log.
      if change.isOfRedacted || redacted.contains(where: { change.path.hasPrefix($0) }) {
        return false
      }
      // What is new in a type the recording says nothing of.
      return self.hasSameStates
        || (try? written.value(at: RecordPath(parsing: change.path))) != nil
    }
  }
}
