internal import ActionCoding
internal import ActionLog
internal import ConcurrencyExtras

/// What a side index holds of a place in a replay, and how it becomes a place again.
///
/// The count of the reads whose last values follow, of each its number and the value (counted); the
/// shared values, as a state's record in the log has them; the state, as today's program writes it.
extension RecordedTypes {
  /// What is written of a moment; `nil` where it could not be had again from that.
  func sideState(of moment: ReplayMoment<State>, _ shared: SharedPlayer) -> SideIndexState? {
    guard let values = shared.values(of: moment.shared) else { return nil }
    let coder = self.stateCoder
    if shared.definitions.isUsed || self.stateSchema.hasShared {
      let bytes = shared.writing { Self.bytes(of: moment, values, coder) }
      return bytes.map { .bytes($0) }
    }
    // As a recording encodes its states: a copy, which no reducer changes.
    let copy = UncheckedSendable((moment.state, moment.lastValues))
    return .later {
      let (state, lastValues) = copy.value
      return Self.bytes(of: ReplayMoment(state: state, lastValues: lastValues), values, coder)
    }
  }

  /// The bytes of a moment; `nil` where it has none.
  private static func bytes(
    of moment: ReplayMoment<State>, _ values: SharedValues, _ coder: ValueCoder<State>
  ) -> [UInt8]? {
    guard let state = try? coder.bytes(of: moment.state) else { return nil }
    let head = try? RecordWriter.bytes { (writer) throws(RecordOverflow) in
      try writer.put(varint: UInt64(moment.lastValues.count))
      for (number, bytes) in moment.lastValues.sorted(by: { $0.key < $1.key }) {
        try writer.put(varint: UInt64(number))
        try bytes.span.bytes.withUnsafeBytes { (raw) throws(RecordOverflow) in
          try writer.put(counted: raw)
        }
      }
      try values.put(to: &writer)
    }
    return head.map { $0 + state }
  }

  /// The moment that was written as `bytes`.
  func moment(
    of bytes: [UInt8], _ shared: SharedPlayer
  ) throws(RecordDecodingError) -> ReplayMoment<State> {
    try bytes.span.bytes.withUnsafeBytes { (raw) throws(RecordDecodingError) in
      var reader = RecordReader(raw)
      var lastValues: [Int: [UInt8]] = [:]
      for _ in 0..<(try reader.getInt("The count of reads")) {
        let number = try reader.getInt("The number of a read")
        lastValues[number] = Array(try reader.getCounted())
      }
      let values = try SharedValues(from: &reader)
      let coder = self.stateCoder
      let state = try shared.reading(values) { () throws(RecordDecodingError) in
        try coder.decode(from: &reader)
      }
      try reader.finish()
      return ReplayMoment(
        state: state, lastValues: lastValues, shared: try shared.moment(of: values))
    }
  }
}

extension SharedPlayer {
  /// What stands for the shared values of a moment; `nil` where there is something among them that
  /// has no form in the log.
  func values(of moment: SharedMoment) -> SharedValues? {
    guard moment.boxes.isEmpty else { return nil }
    // What reducers have made may be of types that the log does not define.
    guard moment.values.isEmpty, moment.madeCount == 0 else { return nil }
    return SharedValues()
  }
}

extension SharedDefinitions {
  /// Whether the stream has any shared values.
  var isUsed: Bool { !self.types.isEmpty || !self.references.isEmpty }
}

/// What tells the side index of one stream from that of any other.
enum SideIndexIdentity {
  /// - Parameter build: What tells this build of the program from others.
  static func bytes<State, Action>(
    of stream: StreamInfo, in run: RunInfo, _ types: RecordedTypes<State, Action>, build: String
  ) -> [UInt8]? {
    try? RecordWriter.bytes { (writer) throws(RecordOverflow) in
      try writer.put(string: build)
      try writer.put(string: stream.name)
      try writer.put(varint: UInt64(stream.run))
      try writer.put(varint: UInt64(stream.number))
      try writer.put(varint: run.summary.firstSequence)
      try writer.put(varint: run.summary.firstTime)
      try writer.put(varint: stream.firstSequence)
      try writer.put(varint: UInt64(stream.firstPosition))
      try writer.put(string: run.facts["pid"] ?? "")
      for schema in [types.recordedState, types.recordedAction, types.stateSchema] {
        let bytes = try schema.bytes()
        try bytes.span.bytes.withUnsafeBytes { (raw) throws(RecordOverflow) in
          try writer.put(counted: raw)
        }
      }
    }
  }
}
