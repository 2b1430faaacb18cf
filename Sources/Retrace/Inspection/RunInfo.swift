public import ActionCoding
public import ActionLog

/// One opening of a log by a program.
public struct RunInfo: Sendable {
  /// 1, 2, 3 …
  public let number: Int
  /// What the program and the system said of themselves, by name.
  public internal(set) var facts: [String: String] = [:]
  /// The root stores that were recorded, in the order of their making.
  public internal(set) var streams: [StreamInfo] = []
  /// The log's own summary.
  public let summary: RunSummary

  init(summary: RunSummary) {
    self.number = Int(summary.number)
    self.summary = summary
  }

  /// What this program and the system would say of themselves if a recording were opened now.
  public static func currentFacts() -> [String: String] { ProcessFacts.current() }

  mutating func add(_ record: LogRecord) {
    self.add(
      record.kind, stream: record.stream, sequence: record.sequence, payload: record.payload)
  }

  /// Adds what a segment restates before its own records, where those before it were deleted.
  mutating func add(_ record: PreambleRecord, sequence: UInt64) {
    record.payload.withUnsafeBytes { payload in
      self.add(record.kind, stream: record.stream, sequence: sequence, payload: payload)
    }
    guard record.kind == .state,
      let index = self.streams.firstIndex(where: { $0.number == Int(record.stream) })
    else { return }
    self.streams[index].restatedState = record.payload
  }

  private mutating func add(
    _ kind: RecordKind, stream: UInt16, sequence: UInt64, payload: UnsafeRawBufferPointer
  ) {
    var reader = RecordReader(payload)
    switch kind {
    case .open:
      // A record that can't be read takes nothing else with it.
      if let open = try? OpenPayload(from: &reader) { self.facts = open.facts }
    case .schema:
      guard !self.streams.contains(where: { $0.number == Int(stream) }),
        let schema = try? SchemaPayload(from: &reader)
      else { return }
      self.streams.append(
        StreamInfo(
          run: self.number, number: Int(stream), name: schema.name,
          stateSchema: schema.state, actionSchema: schema.action,
          firstSequence: sequence, lastSequence: self.summary.lastSequence))
    case .definition:
      guard let payload = try? DefinitionPayload(from: &reader),
        let index = self.streams.firstIndex(where: { $0.number == Int(stream) })
      else { return }
      self.streams[index].definitions.add(payload)
    case .close where stream != 0:
      guard let close = try? ClosePayload(from: &reader),
        let index = self.streams.firstIndex(where: { $0.number == Int(stream) })
      else { return }
      self.streams[index].isClosed = true
      self.streams[index].closedCount = close.actionCount
    default:
      break
    }
  }

  /// - Parameter gaps: Those behind which the run can be read again.
  mutating func indexActions(_ blocks: [BlockSummary], gaps: [RunRestart] = []) {
    for index in self.streams.indices {
      self.streams[index].index = StreamIndex(
        blocks: blocks, stream: UInt16(self.streams[index].number),
        startingAt: self.streams[index].firstPosition, gaps: gaps)
    }
  }
}

/// The history of one root store in a run.
public struct StreamInfo: Sendable {
  /// The run it is in.
  public let run: Int
  /// Its number in the run.
  public let number: Int
  /// Its name: that of the reducer's type, or the one given when it was recorded.
  public let name: String
  /// How its states are written.
  public let stateSchema: RecordSchema
  /// How its actions are written.
  public let actionSchema: RecordSchema
  /// Whether its store was released or its recording closed.
  public internal(set) var isClosed = false
  var closedCount: Int?
  let firstSequence: UInt64
  let lastSequence: UInt64
  /// What its records name by numbers.
  var definitions = DefinitionTable()
  let actionsHaveShared: Bool
  /// The state's record with which the oldest segment that is left begins.
  var restatedState: [UInt8]?
  var index = StreamIndex(blocks: [], stream: 0, startingAt: 0)

  init(
    run: Int, number: Int, name: String, stateSchema: RecordSchema, actionSchema: RecordSchema,
    firstSequence: UInt64, lastSequence: UInt64
  ) {
    self.run = run
    self.number = number
    self.name = name
    self.stateSchema = stateSchema
    self.actionSchema = actionSchema
    self.actionsHaveShared = actionSchema.hasShared
    self.firstSequence = firstSequence
    self.lastSequence = lastSequence
  }

  /// The number of the first state that is left in the log: 0 unless old segments were deleted.
  public var firstPosition: Int {
    guard let payload = self.restatedState else { return 0 }
    return payload.withUnsafeBytes { bytes in
      var reader = RecordReader(bytes)
      return (try? StateHeader(from: &reader))?.number ?? 0
    }
  }

  /// How many actions there were: the number of the last one.
  public var actionCount: Int { self.index.actionCount }

  /// The numbers of the actions after which the state can't be known, since the log could not be
  /// written then; in order.
  public var missingStates: [ClosedRange<Int>] { self.index.restarts.compactMap(\.missing) }
}
