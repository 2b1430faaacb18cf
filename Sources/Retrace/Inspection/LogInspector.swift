internal import ActionCoding
public import ActionLog

/// What a log holds, told without the types of the program that wrote it.
///
/// It opens the log for reading only, and holds its index, never its records.
public final class LogInspector {
  /// The log.
  public let reader: LogReader
  /// The path that was opened.
  public let path: String
  /// The runs in the log, oldest first.
  public private(set) var runs: [RunInfo]

  /// Opens the log in the directory at `path`.
  ///
  /// - Parameters:
  ///   - path: The log's directory.
  ///   - mode: How damage is treated.
  /// - Throws: A `LogError` when it is no log or can't be read.
  public init(at path: String, mode: ReadMode = .tolerateTail) throws(LogError) {
    self.path = path
    self.reader = try LogReader(at: path, mode: mode)
    self.runs = []
    self.runs = try self.readRuns()
  }

  /// Looks again at a log that may have grown.
  ///
  /// - Throws: A `LogError` when it can't be read.
  public func refresh() throws(LogError) {
    try self.reader.refresh()
    self.runs = try self.readRuns()
  }

  /// Finds a run.
  ///
  /// - Parameter number: The run's number, the last run when `nil`.
  /// - Throws: A ``ReplayError`` that lists what runs there are.
  public func run(_ number: Int? = nil) throws(ReplayError) -> RunInfo {
    if let number {
      if let run = self.runs.first(where: { $0.number == number }) { return run }
      throw ReplayError(
        .noSuchRun, "'\(self.path)' has no run \(number). \(self.listOfRuns)")
    }
    guard let last = self.runs.last else {
      throw ReplayError(
        .noSuchRun,
        self.hasLost
          ? """
          '\(self.path)' holds no run that can be read: what was recorded is damaged. Run 'retrace \
          verify \(self.path)' to see what is lost.
          """ : "'\(self.path)' holds no run: nothing was recorded.")
    }
    return last
  }

  /// Finds a stream.
  ///
  /// - Parameters:
  ///   - run: The run's number, the last run when `nil`.
  ///   - name: The stream's name or number; the run's only stream when `nil`.
  /// - Throws: A ``ReplayError`` that lists what there is.
  public func stream(run: Int? = nil, named name: String? = nil) throws(ReplayError) -> StreamInfo {
    let run = try self.run(run)
    let list = run.streams.map { "'\($0.name)' (\($0.number))" }.joined(separator: ", ")
    guard !run.streams.isEmpty else {
      // Actions without a stream that they are of: what describes it is lost.
      let hasActions = run.summary.actions.contains { $0.count > 0 }
      throw ReplayError(
        .noSuchStream,
        hasActions || self.hasLost
          ? """
          Run \(run.number) of '\(self.path)' has no stream that can be read: the records that \
          describe its streams are lost. Run 'retrace verify \(self.path)' to see what is damaged.
          """ : "Run \(run.number) of '\(self.path)' has no stream: no store was recorded.")
    }
    guard let name else {
      guard run.streams.count == 1 else {
        throw ReplayError(
          .noSuchStream,
          """
          Run \(run.number) of '\(self.path)' has \(run.streams.count) streams: \(list). Name one, \
          as in '\(run.number):\(run.streams[0].name)/end'.
          """)
      }
      return run.streams[0]
    }
    let named = run.streams.filter { $0.name == name }
    if named.count == 1 { return named[0] }
    if let numbered = run.streams.first(where: { String($0.number) == name }) { return numbered }
    guard named.isEmpty else {
      throw ReplayError(
        .noSuchStream,
        """
        Run \(run.number) of '\(self.path)' has \(named.count) streams named '\(name)'. Use the \
        number of one: \(list).
        """)
    }
    throw ReplayError(
      .noSuchStream,
      "Run \(run.number) of '\(self.path)' has no stream '\(name)'. It has \(list).")
  }

  /// Whether records are known to be lost.
  private var hasLost: Bool { self.reader.summary.damage.contains { $0.effect == .loss } }

  private var listOfRuns: String {
    switch self.runs.count {
    case 0: "It holds no run."
    case 1: "It has one run, \(self.runs[0].number)."
    default: "It has the runs \(self.runs[0].number) to \(self.runs[self.runs.count - 1].number)."
    }
  }

  private func readRuns() throws(LogError) -> [RunInfo] {
    var runs: [RunInfo] = []
    for summary in self.reader.summary.runs {
      runs.append(try self.readRun(summary))
    }
    return runs
  }

  /// Reads the records that describe a run, which stand in few blocks.
  private func readRun(_ summary: RunSummary) throws(LogError) -> RunInfo {
    var run = RunInfo(summary: summary)
    let segments = self.reader.summary.segments
    if let first = segments.first(where: { $0.run == summary.number }), !first.startsRun {
      for record in try self.reader.preamble(of: first) {
        run.add(record, sequence: first.firstSequence)
      }
    }
    let blocks = self.reader.blocks.filter { $0.run == summary.number }
    for block in blocks
    where block.kinds.contains(.open) || block.kinds.contains(.schema)
      || block.kinds.contains(.close) || block.kinds.contains(.definition)
    {
      var cursor = self.records(in: block)
      while let record = try cursor.next() {
        run.add(record)
      }
    }
    run.indexActions(blocks, gaps: try self.restarts(of: summary, blocks))
    return run
  }

  /// The records of one block.
  func records(in block: BlockSummary) -> BlockRecords {
    BlockRecords(
      cursor: self.reader.cursor(from: block.firstSequence),
      end: block.firstSequence + UInt64(block.count))
  }
}

/// The records of one block, one at a time.
struct BlockRecords {
  var cursor: LogCursor
  let end: UInt64

  /// The next record of a kind, valid until the next call.
  mutating func next(of kind: RecordKind) throws(LogError) -> LogRecord? {
    try self.cursor.next(of: kind, before: self.end)
  }

  /// The next record, valid until the next call.
  mutating func next() throws(LogError) -> LogRecord? {
    guard self.cursor.nextSequence < self.end, let record = try self.cursor.next(),
      record.sequence < self.end
    else { return nil }
    return record
  }
}
