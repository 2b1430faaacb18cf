internal import ActionCoding
internal import ActionLog
internal import ComposableArchitecture
internal import Dependencies
internal import Dispatch
internal import Synchronization

/// Writes what one root store does into a recording.
@MainActor
final class StreamRecorder<State, Action>: StoreHook<State, Action>, RecordedStream {
  private nonisolated let recording: Recording
  private nonisolated let writer: LogWriter
  private nonisolated let stateCoder: ValueCoder<State>
  private nonisolated let actionCoder: ValueCoder<Action>
  private nonisolated let number: UInt16
  private nonisolated let actionCount = Atomic<Int>(0)
  private nonisolated let hasEnded = Atomic<Bool>(false)
  private nonisolated let schemaPayload: [UInt8]

  private nonisolated let readRecorder: ReadRecorder
  private let checkpoints: CheckpointSchedule

  init(recording: Recording, name: String, number: UInt16) {
    let stateCoder = ValueCoder<State>()
    let actionCoder = ValueCoder<Action>()
    self.recording = recording
    self.writer = recording.writer
    self.stateCoder = stateCoder
    self.actionCoder = actionCoder
    self.number = number
    self.checkpoints = CheckpointSchedule(recording.checkpoints)
    let writer = recording.writer
    self.readRecorder = ReadRecorder { kind, body in
      do throws(LogError) {
        try writer.append(kind, stream: number, body: body)
      } catch {
        recording.fail(error)
      }
    }
    self.schemaPayload = encodePayload { (writer) throws(RecordOverflow) in
      try SchemaPayload(name: name, state: stateCoder.schema, action: actionCoder.schema)
        .put(to: &writer)
    }
    super.init()
    self.reads = ReducerReads(self.readRecorder)
  }

  // MARK: - What the store tells

  override func storeDidStart(initialState: State) {
    self.append(.schema, copying(self.schemaPayload))
    self.append(.state, copying(stateRecord(initialState, number: 0, self.stateCoder).payload))
  }

  override func actionWillReduce(_ action: Action, number: Int, origin: ActionOrigin) {
    self.append(.action) { buffer in
      var writer = RecordWriter(buffer)
      do throws(RecordOverflow) {
        try ActionHeader(origin: origin).put(number: number, to: &writer)
        try self.actionCoder.encode(action, to: &writer)
        return writer.count
      } catch {
        return error == .space ? nil : self.encodeAbsent(origin, number, "\(error)", buffer)
      }
    }
    self.actionCount.store(number, ordering: .relaxed)
    self.writer.setInFlight(stream: self.number, action: UInt64(number))
  }

  override func actionDidReduce(number: Int, state: State) {
    self.writer.clearInFlight(stream: self.number)
    if self.checkpoints.isDue(self.writer) { self.checkpoint(state, number: number) }
    if self.writer.wantsCut { self.recording.cut(by: self.number, state: state) }
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

  override func actionWasNotSent(by action: Int) {
    self.append(.effect, .notSent)
  }

  override func effectDidEnd(action: Int, index: Int, _ end: EffectEnd) {
    let distance = self.actionCount.load(ordering: .relaxed) - action
    self.append(.effect, .end(distance: distance, index: index, end))
  }

  override nonisolated func storeDidEnd() {
    self.end()
  }

  // MARK: - RecordedStream

  nonisolated func end() {
    guard !self.hasEnded.exchange(true, ordering: .acquiringAndReleasing) else { return }
    let count = self.actionCount.load(ordering: .relaxed)
    self.append(
      .close,
      copying(
        encodePayload { (writer) throws(RecordOverflow) in
          try ClosePayload(actionCount: count).put(to: &writer)
        }))
    self.recording.endStream(self.number)
  }

  func capture(_ state: Any?) -> @Sendable () -> SegmentCut {
    guard let state = state as? State ?? self.currentState() else {
      return { SegmentCut([], isComplete: false) }
    }
    let value = UncheckedSendable(state)
    let count = self.actionCount.load(ordering: .relaxed)
    let definitions = self.readRecorder.definitions
    self.readRecorder.restart()
    let stream = self.number
    let coder = self.stateCoder
    let schema = PreambleRecord(kind: .schema, stream: stream, payload: self.schemaPayload)
    return {
      var records = [schema]
      for definition in definitions.payloads {
        let payload = encodePayload { (writer) throws(RecordOverflow) in
          try definition.put(to: &writer)
        }
        records.append(PreambleRecord(kind: .definition, stream: stream, payload: payload))
      }
      let record = stateRecord(value.value, number: count, coder)
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

  private nonisolated func encodeAbsent(
    _ origin: ActionOrigin, _ number: Int, _ reason: String,
    _ buffer: UnsafeMutableRawBufferPointer
  ) -> Int? {
    var writer = RecordWriter(buffer)
    do {
      try ActionHeader(origin: origin, isAbsent: true).put(number: number, to: &writer)
      try writer.put(string: reason)
      return writer.count
    } catch {
      return nil
    }
  }

  /// Writes the state as it is now, encoded on another thread.
  private func checkpoint(_ state: State, number: Int) {
    let value = UncheckedSendable(state)
    self.readRecorder.restart()
    let coder = self.stateCoder
    let schedule = self.checkpoints
    schedule.begin()
    let writer = self.writer
    let write: @Sendable () -> Void = { [weak self] in
      let bytes = stateRecord(value.value, number: number, coder).payload
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

/// The bytes of a state's record, and whether the state could be encoded.
private func stateRecord<State>(
  _ state: State, number: Int, _ coder: ValueCoder<State>
) -> (payload: [UInt8], isWhole: Bool) {
  do throws(RecordOverflow) {
    let payload = try RecordWriter.bytes { (writer: inout RecordWriter) throws(RecordOverflow) in
      try StateHeader.value(number: number).put(to: &writer)
      try coder.encode(state, to: &writer)
    }
    return (payload, true)
  } catch {
    let payload = encodePayload { (writer) throws(RecordOverflow) in
      try StateHeader.absent(number: number, reason: "\(error)").put(to: &writer)
    }
    return (payload, false)
  }
}
