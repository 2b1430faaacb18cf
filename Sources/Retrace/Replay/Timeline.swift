public import ActionCoding
internal import ActionLog
public import ComposableArchitecture
internal import ConcurrencyExtras
internal import Dependencies
public import Foundation

/// The replayed history of one recorded store: any past state, by folding the log's actions through
/// the reducer again.
///
/// ```swift
/// let timeline = try Timeline(of: "session.retrace") { AppFeature() }
/// try timeline.move(to: 1_200)
/// print(timeline.state, timeline.action)
/// try timeline.stepBackward()
/// ```
///
/// State 0 is the initial one, state N the one after action N. Effects are never run: what they sent
/// is in the log. The log is only read.
///
/// **How long a jump takes.** A jump reads a state, unpacks a block of the log (64 KiB) and folds from
/// the state on. With `S` bytes for a packed state and `a` bytes for an action in the log, two states
/// of the log lie `max(1024, S / a)` actions apart, as a rule. The first ``replay(progress:)`` that
/// agrees with the recording leaves more of them beside the log, in `NAME.retrace.states/`: one for
/// each 0.1 ms of folding, as long as they take no more than twice the bytes that the log has of the
/// stream and a tenth of the replay's time, so that as a rule no more than `max(16384, S / 2a)` actions
/// lie between two. They may be deleted at any time; a jump takes no notice of those of another log,
/// another build of the program or other types, nor of any that are damaged. Going back step by step
/// costs one fold for as many as 256 steps.
public final class Timeline<State, Action> {
  /// The log.
  public let inspector: LogInspector
  /// The stream that is replayed.
  public let stream: StreamInfo

  /// The number of the action after which ``state`` stands; 0 for the initial state.
  public private(set) var position = 0
  /// The state after action ``position``.
  public private(set) var state: State
  /// The action that led to ``state``; `nil` for the initial state.
  public private(set) var action: Action?
  /// The first thing that the replay has done otherwise than the recording, among the actions that
  /// were folded so far; `nil` when there is none.
  ///
  /// Effects that are others leave the states as they were, so a timeline goes on after them. Where a
  /// reducer reads something else than was recorded it stops.
  public private(set) var divergence: Divergence?

  let types: RecordedTypes<State, Action>
  private let kernel: _FoldKernel<State, Action>
  let firstState: Start
  /// What plays the log back from the present position on; `nil` until that is needed.
  private var opened: ReplayPlayback?
  /// Where that begins, as long as there is none.
  private var pending: Start?
  private var cache = StateCache<State>()
  private let storages: ReplayStorages
  let shared: SharedPlayer
  private let comparesLines: Bool
  /// States that an earlier replay has left beside the log.
  lazy var sideIndex: SideIndex? = self.openSideIndex()
  var sideWriter: SideIndexWriter?
  /// How states are left beside the log; `nil` to leave none there, and to take none from there.
  package var sidePlan: SideIndexPlan? = SideIndexPlan()
  /// Whether state 0 did not come from the log, so that it may hold what must not be on disk.
  let isFirstStateGiven: Bool
  /// How many actions are folded rather than that a checkpoint is looked for.
  package var leastFold = CheckpointSchedule.minimumActions
  /// Whether the state is what an action left that could not be run again as it was.
  private var isSpoiled = false
  /// The bytes of which the digests after some actions are made, for who asks by an empty entry.
  var digested: [Int: [UInt8]] = [:]
  /// The number of the last action whose state agreed with its digest.
  private var lastAgreement = 0
  /// What was taken out of the records that have been played back.
  public private(set) var redactions = Redactions()
  /// Why the action after the present position can't be run again as it was.
  private var obstacle: Divergence?

  /// A place to fold from.
  typealias Start = (number: Int, moment: ReplayMoment<State>)

  /// Opens the history of a recorded store.
  ///
  /// - Parameters:
  ///   - path: The log's directory.
  ///   - run: The run's number; the last run when `nil`.
  ///   - stream: The stream's name or number; the run's only stream when `nil`.
  ///   - initialState: State 0, for a log that was recorded without it since it can't be encoded. It
  ///     is made where shared values are the timeline's own.
  ///   - migrations: What has been renamed in the types since, or has to be rewritten. What was
  ///     added, removed, reordered or made optional needs none.
  ///   - reducer: The reducer that was recorded.
  /// - Throws: A `LogError` when the log can't be read, a ``ReplayError`` when it has no such stream,
  ///   or was recorded by other types.
  @inlinable
  public convenience init(
    of path: String, run: Int? = nil, stream: String? = nil,
    initialState: @autoclosure () -> State? = nil, migrations: [RecordMigration] = [],
    @ReducerBuilder<State, Action> reducer: () -> some Reducer<State, Action>
  ) throws {
    let inspector = try LogInspector(at: path)
    let stream = try inspector.stream(run: run, named: stream)
    try self.init(
      of: stream, in: inspector, initialState: initialState(), migrations: migrations,
      kernel: { _FoldKernel(reducer()) })
  }

  /// Opens the history of a recorded store.
  @inlinable
  public convenience init(
    of url: URL, run: Int? = nil, stream: String? = nil,
    initialState: @autoclosure () -> State? = nil, migrations: [RecordMigration] = [],
    @ReducerBuilder<State, Action> reducer: () -> some Reducer<State, Action>
  ) throws {
    let inspector = try LogInspector(at: url.path)
    let stream = try inspector.stream(run: run, named: stream)
    try self.init(
      of: stream, in: inspector, initialState: initialState(), migrations: migrations,
      kernel: { _FoldKernel(reducer()) })
  }

  /// Opens the history of one stream of an open log.
  @inlinable
  public convenience init(
    of stream: StreamInfo, in inspector: LogInspector,
    initialState: @autoclosure () -> State? = nil, migrations: [RecordMigration] = [],
    @ReducerBuilder<State, Action> reducer: () -> some Reducer<State, Action>
  ) throws {
    try self.init(
      of: stream, in: inspector, initialState: initialState(), migrations: migrations,
      kernel: { _FoldKernel(reducer()) })
  }

  @usableFromInline
  init(
    of stream: StreamInfo, in inspector: LogInspector, initialState: @autoclosure () -> State?,
    migrations: [RecordMigration], kernel: () -> _FoldKernel<State, Action>
  ) throws {
    self.inspector = inspector
    self.stream = stream
    let types = try RecordedTypes<State, Action>(of: stream, migrations: migrations)
    self.types = types
    let shared = SharedPlayer(stream.definitions.shared)
    self.shared = shared
    let storages = ReplayStorages(shared)
    self.storages = storages
    self.kernel = storages.install { kernel() }
    var isGiven = false
    let first = try storages.install {
      try readFirstState(
        of: stream, in: inspector, shared, types,
        substitute: {
          isGiven = true
          return initialState()
        }())
    }
    self.isFirstStateGiven = isGiven
    self.firstState = (first.number, ReplayMoment(state: first.state, shared: shared.moment()))
    self.state = first.state
    self.position = first.number
    let build = ProcessFacts.buildID
    self.comparesLines =
      build != nil && (try? inspector.run(stream.run))?.facts["build"] == build
    self.pending = self.firstState
    self.redactions.note(shared.takeRedacted(), at: first.number)
  }

  private var playback: ReplayPlayback {
    if let opened = self.opened { return opened }
    let opened = self.playback(
      from: self.pending ?? (self.position, ReplayMoment(state: self.state)))
    self.opened = opened
    self.pending = nil
    return opened
  }

  private func playback(from start: Start) -> ReplayPlayback {
    let (stream, inspector, shared, types) = (
      self.stream, self.inspector, self.shared, self.types
    )
    let cursor =
      start.moment.nextSequence > 0
      ? StreamCursor(inspector, stream, at: start.moment.nextSequence, after: start.number)
      // From that action on, since what is shared may have been noted behind it, in another block
      // than the next one.
      : StreamCursor(inspector, stream, from: start.number)
    let tape = ReplayTape(cursor, shared: shared, startingAt: start.number)
    shared.tape = tape
    let player = ReadPlayer(tape: tape, definitions: stream.definitions)
    player.lastValues = start.moment.lastValues
    return ReplayPlayback(
      tape: tape, player: player, reads: ReducerReads(player, part: SharedSession(shared)),
      effects: EffectCheck(
        tape: tape, stream: stream, comparesLines: self.comparesLines, schema: types.actionSchema,
        startingAt: start.number,
        rewritten: { payload in
          var reader = RecordReader(payload)
          return (try? types.actionReader.decode(from: &reader)).flatMap {
            try? types.actionCoder.bytes(of: $0)
          }
        }))
  }

  deinit {
    // The tape keeps what takes its notes.
    self.shared.tape = nil
  }

  /// The number of the last action.
  public var count: Int { self.stream.actionCount }

  /// The number of the first state that is left in the log; 0 unless old segments were deleted.
  public var firstPosition: Int { self.firstState.number }

  /// Goes to the state after an action.
  ///
  /// What is folded is what lies between the nearest known state and there; afterwards the way back
  /// is short.
  ///
  /// - Throws: A ``ReplayError`` when there is no such action, or one on the way can't be replayed;
  ///   a `LogError` for damage. The timeline then stands where it was.
  public func move(to number: Int) throws {
    guard (self.firstPosition...max(self.count, self.firstPosition)).contains(number) else {
      throw ReplayError(
        .outOfRange,
        """
        There is no state \(number): '\(self.stream.name)' of run \(self.stream.run) has the states \
        \(self.firstPosition) to \(self.count).
        """, action: number)
    }
    try self.checkIsThere(number)
    guard number != self.position else { return }
    let kept = StateCache<State>.kept(from: self.position, to: number)
    let start = try self.start(for: number)
    let (position, action) = (self.position, self.action)
    if start.number == position {
      do {
        try self.fold(through: number, keepingLast: kept)
      } catch {
        try? self.move(to: position)
        throw error
      }
      return
    }
    let place = self.moment()
    do {
      try self.fold(from: start, through: number, keepingLast: kept)
    } catch {
      self.jump(to: (position, place))
      self.action = action
      throw error
    }
  }

  /// What is needed to go on from the present position.
  private func moment() -> ReplayMoment<State> {
    guard let opened = self.opened else {
      return self.pending?.moment ?? ReplayMoment(state: self.state)
    }
    return ReplayMoment(
      state: self.state, lastValues: opened.player.lastValues, shared: self.shared.moment(),
      nextSequence: self.nextSequence(opened.tape), action: self.action)
  }

  /// The record that the tape stands before, where it is known to which action it belongs.
  private func nextSequence(_ tape: ReplayTape) -> UInt64 {
    guard !self.stream.definitions.shared.isUsed, let next = tape.next,
      tape.number == (next.kind == .action ? self.position + 1 : self.position)
    else { return 0 }
    return next.sequence
  }

  func jump(to start: Start) {
    self.state = start.moment.state
    self.shared.restore(start.moment.shared)
    self.isSpoiled = false
    self.action = start.moment.action as? Action
    self.position = start.number
    self.opened = nil
    self.pending = start
  }

  /// Goes to a known state, and on from there.
  private func fold(from start: Start, through number: Int, keepingLast kept: Int = 0) throws {
    self.jump(to: start)
    try self.fold(through: number, keepingLast: kept)
    if self.action == nil, number > self.firstPosition,
      self.stream.index.restart(upTo: number)?.number != number
    {
      try self.readAction()
    }
  }

  /// Goes on by one action; returns whether there was one.
  ///
  /// - Throws: As ``move(to:)``.
  @discardableResult
  public func stepForward() throws -> Bool {
    guard self.position < self.count else { return false }
    try self.move(to: self.position + 1)
    return true
  }

  /// Goes back by one action; returns whether there was one.
  ///
  /// - Throws: As ``move(to:)``.
  @discardableResult
  public func stepBackward() throws -> Bool {
    guard self.position > self.firstPosition else { return false }
    try self.move(to: self.position - 1)
    return true
  }

  // MARK: - Folding

  /// Goes through actions from the present position on, and calls `visit` after as many as are
  /// said, or fewer.
  ///
  /// Where an action can't be run again as it was, the timeline stands before it afterwards.
  func fold(
    through last: Int, keepingLast kept: Int = 0, visitingEach stride: Int = .max,
    visit: (Timeline) throws -> Void = { _ in }
  ) throws {
    guard self.position < last else { return }
    try self.storages.install {
      let entered = ReducingThread.enter()
      defer { ReducingThread.leave(entered) }
      try self.playback.reads.with {
        while self.position < last, self.obstacle == nil {
          var stop = min(last, self.cache.nextStop(after: self.position))
          if let writer = self.sideWriter {
            stop = min(stop, max(writer.nextStop, self.position + 1))
          }
          if stride < stop - self.position { stop = self.position + stride }
          // The last ones are kept one by one.
          let untilKept = last - kept - self.position
          stop = untilKept > 0 ? min(stop, self.position + untilKept) : self.position + 1
          try self.foldQuickly(through: stop)
          guard self.obstacle == nil else { break }
          self.cache.note(
            self.moment(), at: self.position, isRecent: last - self.position < kept)
          self.sideWriter?.note(self.position, sequence: self.nextSequence(self.playback.tape)) {
            self.types.sideState(of: self.moment(), self.shared)
          }
          // Whoever looks is no reducer.
          try ReducerReads.without { try visit(self) }
        }
      }
    }
    guard let obstacle = self.obstacle else { return }
    self.obstacle = nil
    // The reducer has left the state of an action that is not to be believed.
    self.isSpoiled = true
    let position = self.position
    try self.fold(from: try self.start(for: position), through: position)
    throw obstacle
  }

  /// Runs actions one after another, most of them where nothing has to be looked at.
  private func foldQuickly(through last: Int) throws {
    while self.position < last {
      if self.stream.actionsHaveShared {
        guard try self.foldNext(towards: last) else { return }
        continue
      }
      let playback = self.playback
      playback.player.begin()
      let position = self.position
      let tape = playback.tape
      let outcome =
        if self.types.hasSameActions, let fold = self.kernel.foldOfToday {
          fold(&self.state, &self.position, &self.action, tape, last)
        } else {
          self.kernel.fold(
            &self.state, &self.position, &self.action, tape, self.types.actionReader, last)
        }
      if case .unchecked(let effect) = outcome {
        guard try self.finish(effect) else { return }
      } else if self.position == position {
        guard try self.foldNext(towards: last) else { return }
      }
    }
  }

  /// Runs the action after the present position.
  ///
  /// - Returns: Whether it could be run with all that it read; otherwise the state is spoiled.
  private func foldNext(towards last: Int) throws -> Bool {
    let playback = self.playback
    let (tape, player) = (playback.tape, playback.player)
    let number = self.position + 1
    guard tape.seek(toAction: number), let record = tape.next else {
      if let failure = tape.failure { throw failure }
      throw ReplayError(
        .gap,
        """
        '\(self.inspector.path)' ends after action \(self.position); \(last) were expected. Run \
        'retrace verify' to see what is damaged.
        """, action: self.position)
    }
    // As others had left what the state shares when the action came.
    self.exchange()
    let (action, sent) = try self.decodeAction(record, number: number)
    if let sent { self.note(sent, at: number) }
    tape.advance()
    player.begin()
    guard let action else {
      self.action = nil
      self.position = number
      return true
    }
    let effect = self.kernel.reducer._reduce(into: &self.state, action: action)
    self.action = action
    self.position = number
    return try self.finish(effect)
  }

  /// Compares what the action at the present position has read and started.
  ///
  /// - Returns: Whether all that it read was in the log; otherwise the timeline has to go back.
  private func finish(_ effect: Effect<Action>) throws -> Bool {
    let playback = self.playback
    let (tape, player) = (playback.tape, playback.player)
    let number = self.position
    if let difference = player.difference ?? self.shared.difference {
      self.note(difference, at: number)
      self.obstacle = self.divergence(difference, at: number)
      self.position = number - 1
      return false
    }
    if let failure = tape.failure { throw failure }
    if let difference = self.shared.end(of: number) { self.note(difference, at: number) }
    if let record = player.nextRead(), !player.isPastEnd {
      // The state may be another one by now, as of a reducer that makes up what it had read.
      let name = player.name(of: record)
      let difference = ReplayDifference(
        .read, path: name, expected: "a read of '\(name)'", actual: "no such read")
      self.note(difference, at: number)
      self.obstacle = self.divergence(difference, at: number)
      self.position = number - 1
      return false
    }
    self.exchange()
    if let record = tape.next, record.kind == .digest { try self.compareDigest(record) }
    self.redactions.note(player.takeRedacted(), at: number)
    self.redactions.note(self.shared.takeRedacted(), at: number)
    if let difference = playback.effects.check(
      effect, of: number, coder: self.types.actionCoder)
    {
      self.note(difference, at: number)
    }
    self.shared.finish()
    self.exchange()
    tape.hasDifference = false
    return true
  }

  /// Puts other references into the present state, where somebody else than a reducer did.
  private func exchange() {
    guard self.shared.exchanges.isWaiting else { return }
    self.shared.exchange(in: self.state, self.types.stateCoder)
  }

  /// Compares the present state with the digest of the recorded one.
  private func compareDigest(_ record: LogRecord) throws {
    var reader = RecordReader(record.payload)
    let payload = try? DigestPayload(from: &reader)
    self.playback.tape.advance()
    let isWanted = self.digested[self.position] != nil
    guard let payload, payload.number == self.position, self.divergence == nil || isWanted,
      self.types.hasSameStates
    else { return }
    let bytes = try self.shared.digested(self.state, self.types.stateCoder)
    if isWanted { self.digested[self.position] = bytes }
    guard self.divergence == nil else { return }
    let digest = RecordDigest(of: bytes)
    guard digest != payload.digest else {
      self.lastAgreement = self.position
      return
    }
    self.note(
      ReplayDifference(
        .state, path: "", expected: "the digest \(payload.digest)", actual: "\(digest)"),
      at: self.position)
    self.divergence?.lastAgreement = self.lastAgreement
  }

  /// Keeps the first divergence.
  private func note(_ difference: ReplayDifference, at number: Int) {
    if let known = self.divergence, known.action <= number { return }
    self.divergence = self.divergence(difference, at: number)
  }

  private func divergence(_ difference: ReplayDifference, at number: Int) -> Divergence {
    Divergence(
      kind: difference.kind, action: number, lastAgreement: number - 1, path: difference.path,
      expected: difference.expected, actual: difference.actual, place: difference.place,
      address: self.address(of: number),
      hint: difference.mayComeFromShared ? self.shared.hint(at: number) : nil)
  }

  /// Keeps what is known of the first divergence now.
  func refine(_ divergence: Divergence) { self.divergence = divergence }

  /// Dependencies that reducers were given the live value of, by name: what they do with it no
  /// recording holds.
  public var liveDependencies: [String] { self.opened?.player.liveDependencies ?? [] }

  func address(of number: Int) -> String { "\(self.stream.run):\(self.stream.name)/\(number)" }

  /// Reads an action, and looks whether it is the one that a reducer sent, if a reducer sent it;
  /// there is none where a migration drops it.
  private func decodeAction(
    _ record: LogRecord, number: Int
  ) throws(ReplayError) -> (action: Action?, difference: ReplayDifference?) {
    do throws(RecordDecodingError) {
      var reader = RecordReader(record.payload)
      let header = try ActionHeader(number: number, from: &reader)
      if !header.isAbsent {
        let value = UnsafeRawBufferPointer(rebasing: record.payload.dropFirst(reader.offset))
        let difference = self.playback.effects.receive(header.origin, value)
        let coder = self.types.actionReader
        let action = try self.shared.reading { () throws(RecordDecodingError) in
          try coder.decode(from: &reader)
        }
        return (action, difference)
      }
      throw reader.error(
        "It was recorded without its value, since it can't be encoded: \(try reader.getString())")
    } catch  where error.isDropped {
      return (nil, nil)
    } catch {
      let error = self.types.located(error, inAction: record.payload, number: number)
      throw ReplayError(
        .undecodable,
        """
        Action \(number) of '\(self.stream.name)' can't be replayed. \(error) See what the log has \
        of it with 'retrace show \(self.inspector.path) \(number)'.
        """, action: number)
    }
  }

  /// Reads the action that led to the present state, after a jump right onto a known state.
  private func readAction() throws {
    var cursor = StreamCursor(self.inspector, self.stream, from: self.position)
    while let record = try cursor.next() {
      guard record.kind == .action, cursor.number == self.position else { continue }
      var reader = RecordReader(record.payload)
      guard let header = try? ActionHeader(number: self.position, from: &reader), !header.isAbsent
      else { return }
      let coder = self.types.actionReader
      self.action = try? self.shared.reading { () throws(RecordDecodingError) in
        try coder.decode(from: &reader)
      }
      return
    }
  }

  /// The nearest state at or before `number` from which to fold.
  private func start(for number: Int) throws -> Start {
    var best = try self.firstState(before: number)
    if self.position <= number, self.position >= best.number, !self.isSpoiled {
      best = (self.position, self.moment())
    }
    if let cached = self.cache.nearest(upTo: number), cached.number > best.number { best = cached }
    if let (beside, isNearest) = self.stateBeside(upTo: number, after: best.number) {
      if isNearest { return beside }
      best = beside
    }
    // Reading a checkpoint costs more than folding a few actions.
    guard number - best.number > self.leastFold,
      let logged = try self.nearestCheckpoint(upTo: number, after: best.number)
    else { return best }
    self.cache.note(logged.moment, at: logged.number, isRecent: false)
    return logged
  }

  /// The last state in the log that belongs to an action between the two.
  private func nearestCheckpoint(
    upTo number: Int, after first: Int
  ) throws -> Start? {
    guard var index = self.stream.index.entryIndex(ofAction: number) else { return nil }
    // A state is written a little after its action, so that the block after may hold it.
    index = min(index + 1, self.stream.index.entries.count - 1)
    while index >= 0,
      self.stream.index.entries[index].actionsBefore
        + self.stream.index.entries[index].actions > first
    {
      let entry = self.stream.index.entries[index]
      index -= 1
      guard entry.block.kinds.contains(.state) else { continue }
      if let found = try self.checkpoint(in: entry, upTo: number, after: first) { return found }
    }
    return nil
  }

  private func checkpoint(
    in entry: StreamIndex.Entry, upTo number: Int, after first: Int
  ) throws -> Start? {
    var best: Start?
    var cursor = self.inspector.records(in: entry.block)
    while let record = try cursor.next(of: .state) {
      guard record.stream == UInt16(self.stream.number) else { continue }
      var reader = RecordReader(record.payload)
      // A damaged checkpoint is passed over: the fold from an earlier one gives the same state.
      guard let header = try? StateHeader(from: &reader), header.reasonForAbsence == nil,
        header.number <= number, header.number > max(first, best?.number ?? 0),
        let (state, moment) = try? self.types.readState(&reader, self.shared)
      else { continue }
      best = (header.number, ReplayMoment(state: state, shared: moment))
    }
    return best
  }
}

/// Reads the stream's first state: state 0, or that of the oldest segment that is left.
private func readFirstState<State, Action>(
  of stream: StreamInfo, in inspector: LogInspector, _ shared: SharedPlayer,
  _ types: RecordedTypes<State, Action>, substitute: @autoclosure () -> State?
) throws -> (number: Int, state: State) {
  /// The state that was given, whose shared values are those of the log.
  func substituted() -> State? {
    guard let state = substitute() else { return nil }
    shared.adopt(state, types.stateCoder)
    return state
  }
  func read(_ payload: UnsafeRawBufferPointer) throws(ReplayError) -> (number: Int, state: State) {
    var reader = RecordReader(payload)
    do throws(RecordDecodingError) {
      let header = try StateHeader(from: &reader)
      var table = reader
      if reader.remaining > 0 {
        let values = try SharedValues(from: &table)
        shared.restore(try shared.moment(of: values))
        try shared.noteRedacted(header.redacted, in: values)
      }
      guard let reason = header.reasonForAbsence else {
        return (header.number, try types.readState(&reader, shared).0)
      }
      if let state = substituted() { return (header.number, state) }
      throw reader.error("It was recorded without its value: \(reason)")
    } catch {
      if let state = substituted() { return (stream.firstPosition, state) }
      throw ReplayError(
        .absentValue,
        """
        The initial state of '\(stream.name)' can't be read from '\(inspector.path)'. \(error) Give \
        it to the timeline: 'initialState:'.
        """, action: stream.firstPosition)
    }
  }
  if let restated = stream.restatedState { return try restated.withUnsafeBytes { try read($0) } }
  var cursor = StreamCursor(inspector, stream, from: 0)
  while let record = try cursor.next() {
    if record.kind == .action { break }
    if record.kind == .state { return try read(record.payload) }
  }
  if let state = substituted() { return (0, state) }
  throw ReplayError(
    .absentValue,
    "'\(inspector.path)' holds no state of '\(stream.name)' of run \(stream.run) to start from.")
}
