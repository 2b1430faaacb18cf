internal import ActionCoding
internal import ActionLog
internal import ComposableArchitecture
internal import Dependencies
internal import Dispatch
internal import Foundation
internal import Synchronization

/// Writes what one root store does into a recording.
@MainActor
final class StreamRecorder<State, Action>: StoreHook<State, Action>, RecordedStream {
  private nonisolated let recording: Recording
  private nonisolated let writer: LogWriter
  private nonisolated let states: StateEncoding<State>
  private nonisolated let actionCoder: ValueCoder<Action>
  private nonisolated let actionSchema: RecordSchema
  private let appendAction: _ActionAppend<Action>
  private let place: ActionPlace
  private nonisolated let gate: RecordingGate
  private nonisolated let number: UInt16
  private nonisolated let actionCount = Atomic<Int>(0)
  private nonisolated let hasEnded = Atomic<Bool>(false)
  private nonisolated let schemaPayload: [UInt8]

  private nonisolated let readRecorder: ReadRecorder
  private nonisolated let sharedRecorder: SharedRecorder
  private let actionsHaveShared: Bool
  private let checkpoints: CheckpointSchedule
  private let digestInterval: Int?
  /// Whether an action is written as it is.
  private let appendsPlainly: Bool
  // The main actor alone touches these, and never one while it changes.
  /// The number of the action whose state was written last.
  @exclusivity(unchecked) private var lastState = 0
  /// The number of the action behind which a state or a digest may be due.
  @exclusivity(unchecked) private var nextLook = 0

  init(
    recording: Recording, name: String, number: UInt16, append appendAction: _ActionAppend<Action>?
  ) {
    let stateCoder = ValueCoder<State>()
    let actionCoder = ValueCoder<Action>()
    self.recording = recording
    self.writer = recording.writer
    let gate = RecordingGate(recording.contents)
    let states = StateEncoding(
      coder: stateCoder, schema: stateCoder.schema, gate: gate,
      hasDigests: recording.contents.digestInterval != nil)
    let actionSchema = actionCoder.schema
    self.gate = gate
    self.states = states
    self.actionCoder = actionCoder
    self.actionSchema = actionSchema
    self.appendAction = appendAction ?? _ActionAppend(actionCoder)
    self.number = number
    self.place = ActionPlace(recording.writer, stream: number) { recording.fail($0) }
    self.checkpoints = CheckpointSchedule(recording.checkpoints)
    self.digestInterval = recording.contents.digestInterval.map { max($0, 1) }
    let writer = recording.writer
    let append: SharedRecorder.Append = { kind, body in
      do throws(LogError) {
        try writer.append(kind, stream: number, body: body)
      } catch {
        recording.fail(error)
      }
    }
    self.readRecorder = ReadRecorder(gate: gate, append: append)
    self.sharedRecorder = SharedRecorder(gate: gate, append: append)
    self.actionsHaveShared = actionSchema.hasShared
    self.appendsPlainly = gate.isOpen && !self.actionsHaveShared
    self.schemaPayload = encodePayload { (writer) throws(RecordOverflow) in
      try SchemaPayload(name: name, state: states.schema, action: actionSchema).put(to: &writer)
    }
    super.init()
    if recording.contents.reportsUnreplayable {
      reportUnreplayable(actionSchema, in: name)
    }
    self.reads = ReducerReads(self.readRecorder, part: self.sharedRecorder.start(self.wish))
  }

  // MARK: - What the store tells

  override func storeDidStart(initialState: State) {
    self.append(.schema, copying(self.schemaPayload))
    let shared = self.sharedRecorder.capture(
      of: initialState, self.states.coder, isFirst: true)
    self.append(.state, copying(self.states.record(of: initialState, number: 0, shared).payload))
    self.states.begin(with: initialState, shared)
  }

  override func stateWasWished(_ state: State) {
    self.sharedRecorder.note(exchangesIn: state, self.states.coder, as: .exchangeAhead)
  }

  override func actionWillReduce(_ action: Action, number: Int, origin: ActionOrigin) {
    if self.appendsPlainly {
      var header: UInt64 = 0
      if case .user = origin {} else { header = ActionHeader(origin: origin).word(number: number) }
      self.appendAction.append(self.place, action, number, header)
    } else {
      self.appendWithCare(action, number: number, origin: origin)
    }
    self.actionCount.store(number, ordering: .relaxed)
    if !self.sharedRecorder.isQuiet { self.sharedRecorder.actionWillReduce() }
  }

  /// Appends an action that holds shared values, or of which something may have to be taken out.
  private func appendWithCare(_ action: Action, number: Int, origin: ActionOrigin) {
    let append = {
      if self.gate.isOpen {
        self.appendAction.append(
          self.place, action, number, ActionHeader(origin: origin).word(number: number))
      } else {
        self.appendThroughGate(action, number: number, origin: origin)
        self.place.begin(number)
      }
    }
    if self.actionsHaveShared { self.sharedRecorder.encoding(append) } else { append() }
  }

  private func appendThroughGate(_ action: Action, number: Int, origin: ActionOrigin) {
    var header = ActionHeader(origin: origin)
    var value: [UInt8] = []
    var redacted: [String] = []
    var texts: [OpaqueText] = []
    var reason: String?
    do throws(RecordOverflow) {
      let whole = try self.actionCoder.bytes(of: action)
      switch self.gate.pass(whole, schema: self.actionSchema) {
      case .whole(let bytes): value = bytes
      case .redacted(let bytes, let paths): (value, redacted) = (bytes, paths)
      case .withheld(let text): reason = text
      }
      if reason == nil {
        texts = self.gate.dumps(
          of: action, self.actionCoder, self.actionSchema, bytes: whole, hidden: redacted)
      }
    } catch {
      reason = "\(error)"
    }
    header.isAbsent = reason != nil
    let payload = encodePayload { (writer) throws(RecordOverflow) in
      try header.put(number: number, to: &writer)
      if let reason { try writer.put(string: reason) }
    }
    self.append(.action, copying(payload + value))
    if !redacted.isEmpty { self.append(.note, copying(NotePayload.redacted(redacted).bytes)) }
    if !texts.isEmpty { self.append(.note, copying(NotePayload.texts(texts).bytes)) }
  }

  override func actionDidReduce(number: Int, state: State) {
    self.place.end()
    if self.sharedRecorder.isQuiet && number < self.nextLook && !self.writer.wantsCut { return }
    self.look(at: state, number: number)
  }

  /// Writes what is due behind an action, and finds out when to look again.
  @inline(never)
  private func look(at state: State, number: Int) {
    self.sharedRecorder.actionDidReduce()
    if let interval = self.digestInterval, number % interval == 0 {
      self.writeDigest(of: state, number: number)
    }
    if self.checkpoints.isDue(after: number - self.lastState, self.writer) {
      self.checkpoint(state, number: number)
    }
    if self.writer.wantsCut { self.recording.cut(by: self.number, state: state) }
    self.nextLook =
      self.lastState + self.checkpoints.nextLook(after: number - self.lastState)
    if let interval = self.digestInterval {
      self.nextLook = min(self.nextLook, (number / interval + 1) * interval)
    }
  }

  override func effectDidStart(_ effect: EffectStart) {
    let site = EffectSite(name: effect.name, fileID: effect.fileID, line: effect.line)
    let (index, new) = self.readRecorder.definitions.number(of: site)
    if let new {
      let payload = encodePayload { (writer) throws(RecordOverflow) in try new.put(to: &writer) }
      self.append(.definition, copying(payload))
    }
    if effect.isDelayed {
      let distance = self.actionCount.load(ordering: .relaxed) - effect.action
      self.append(.effect, .delayedStart(distance: distance, site: index))
    } else {
      self.append(.effect, .start(site: index))
    }
  }

  override func actionWasNotSent(by action: Int, ordinal: Int) {
    self.append(.effect, .notSent(ordinal: ordinal))
  }

  override func effectDidEnd(action: Int, index: Int, _ end: EffectEnd) {
    let distance = self.actionCount.load(ordering: .relaxed) - action
    var end = end
    if case .failed(let text) = end { end = .failed(self.gate.pass(error: text)) }
    self.append(.effect, .end(distance: distance, index: index, end))
  }

  override nonisolated func storeDidEnd() {
    self.end()
  }

  // MARK: - RecordedStream

  nonisolated func end() {
    guard !self.hasEnded.exchange(true, ordering: .acquiringAndReleasing) else { return }
    self.sharedRecorder.end()
    let count = self.actionCount.load(ordering: .relaxed)
    self.append(
      .close,
      copying(
        encodePayload { (writer) throws(RecordOverflow) in
          try ClosePayload(actionCount: count).put(to: &writer)
        }))
    self.recording.endStream(self.number)
  }

  func writeLastState() {
    let number = self.actionCount.load(ordering: .relaxed)
    guard number > self.lastState, let state = self.currentState() else { return }
    let shared = self.sharedRecorder.capture(of: state, self.states.coder)
    self.append(.state, copying(self.states.record(of: state, number: number, shared).payload))
  }

  func capture(_ state: Any?) -> @Sendable () -> SegmentCut {
    // Another stream's cut may come when this one's last action is long over.
    let isOwn = state != nil
    guard let state = state as? State ?? self.currentState() else {
      return { SegmentCut([], isComplete: false) }
    }
    let value = UncheckedSendable(state)
    let count = self.actionCount.load(ordering: .relaxed)
    let shared = self.sharedRecorder.capture(
      of: state, self.states.coder, isNoted: isOwn && self.lastState < count)
    let definitions = self.readRecorder.definitions.payloads + self.sharedRecorder.definitions
    self.readRecorder.restart()
    let stream = self.number
    let states = self.states
    let schema = PreambleRecord(kind: .schema, stream: stream, payload: self.schemaPayload)
    return {
      var records = [schema]
      for definition in definitions {
        let payload = encodePayload { (writer) throws(RecordOverflow) in
          try definition.put(to: &writer)
        }
        records.append(PreambleRecord(kind: .definition, stream: stream, payload: payload))
      }
      let record = states.record(of: value.value, number: count, shared)
      records.append(PreambleRecord(kind: .state, stream: stream, payload: record.payload))
      return SegmentCut(records, isComplete: record.isWhole)
    }
  }

  // MARK: - Writing

  private nonisolated func append(
    _ kind: RecordKind, _ body: (UnsafeMutableRawBufferPointer) -> Int?
  ) {
    do {
      try self.writer.append(kind, stream: self.number, body: body)
    } catch {
      self.recording.fail(error)
    }
  }

  private func append(_ kind: RecordKind, _ effect: EffectPayload) {
    self.append(kind) { buffer in
      var writer = RecordWriter(buffer)
      do throws(RecordOverflow) {
        try effect.put(to: &writer)
        return writer.count
      } catch {
        return nil
      }
    }
  }

  private func writeDigest(of state: State, number: Int) {
    let shared = self.sharedRecorder.capture(of: state, self.states.coder)
    guard let digest = self.states.digest(of: state, number: number, shared) else { return }
    let payload = encodePayload { (writer) throws(RecordOverflow) in
      try DigestPayload(number: number, digest: digest).put(to: &writer)
    }
    self.append(.digest, copying(payload))
  }

  /// Writes the state as it is now, encoded on another thread.
  private func checkpoint(_ state: State, number: Int) {
    let value = UncheckedSendable(state)
    let shared = self.sharedRecorder.capture(of: state, self.states.coder)
    self.readRecorder.restart()
    self.lastState = number
    let states = self.states
    let schedule = self.checkpoints
    schedule.begin()
    let writer = self.writer
    let write: @Sendable () -> Void = { [weak self] in
      let bytes = states.record(of: value.value, number: number, shared).payload
      self?.append(.state, copying(bytes))
      schedule.end(size: bytes.count, writer)
    }
    if schedule.writesAtOnce {
      write()
    } else {
      DispatchQueue.global(qos: .utility).async(execute: write)
    }
  }
}

/// Says on standard error which actions can't be replayed, since something in them has no form in
/// bytes.
private func reportUnreplayable(_ schema: RecordSchema, in stream: String) {
  let parts = schema.unreplayableParts()
  guard !parts.isEmpty else { return }
  let lines = parts.map { "  \($0.path): '\($0.type)'. \($0.reason)\n" }
  FileHandle.standardError.write(
    Data(
      """
      retrace: A replay of '\(stream)' will stop at actions that hold what has no form in bytes:
      \(lines.joined())Conform these types to 'Codable', or mark them '@Recordable'.

      """.utf8))
}
