internal import ActionCoding

/// How the states of a stream become records; used on whatever thread encodes them.
struct StateEncoding<State>: Sendable {
  let coder: ValueCoder<State>
  let schema: RecordSchema
  let gate: RecordingGate
  /// What the last digest was of; `nil` where none are written.
  let digested: DigestedState?

  init(coder: ValueCoder<State>, schema: RecordSchema, gate: RecordingGate, hasDigests: Bool) {
    self.coder = coder
    self.schema = schema
    self.gate = gate
    self.digested = hasDigests ? DigestedState() : nil
  }

  /// A state's record.
  struct Record {
    var payload: [UInt8]
    /// Whether the state could be encoded, and stands there as it was.
    var isWhole: Bool
  }

  /// - Parameter shared: The shared values as they were with the state.
  func record(of state: State, number: Int, _ shared: SharedCapture) -> Record {
    var header = StateHeader(number: number)
    var value: [UInt8] = []
    do throws(RecordOverflow) {
      switch self.gate.pass(try shared.bytes(of: state, self.coder), schema: self.schema) {
      case .whole(let bytes): value = bytes
      case .redacted(let bytes, let paths): (value, header.redacted) = (bytes, paths)
      case .withheld(let reason): header.reasonForAbsence = reason
      }
    } catch {
      header.reasonForAbsence = "\(error)"
    }
    let values = shared.values()
    let start = encodePayload { (writer) throws(RecordOverflow) in
      try header.put(to: &writer)
      try values.put(to: &writer)
    }
    return Record(payload: start + value, isWhole: header.reasonForAbsence == nil)
  }

  /// Takes the first state as the one that the first digest's has changed from.
  func begin(with state: State, _ shared: SharedCapture) {
    guard let digested = self.digested, let bytes = self.digestible(state, shared) else { return }
    _ = digested.detail(of: bytes, after: 0, self.schema)
  }

  /// The digest of the state after an action; `nil` where it can't be encoded, or not all of it may
  /// be written: a replay could not come by the same one.
  func digest(of state: State, number: Int, _ shared: SharedCapture) -> StateDigest? {
    guard let bytes = self.digestible(state, shared) else { return nil }
    return StateDigest(
      digest: RecordDigest(of: bytes),
      detail: self.digested?.detail(of: bytes, after: number, self.schema))
  }

  /// What a digest is made of.
  private func digestible(_ state: State, _ shared: SharedCapture) -> [UInt8]? {
    guard let bytes = try? shared.bytes(of: state, self.coder),
      case .whole = self.gate.pass(bytes, schema: self.schema),
      let values = shared.valuesInUse(self.gate)
    else { return nil }
    return values.isEmpty ? bytes : bytes + values
  }
}

/// Remembers the state of the last digest, so that the next one tells what has changed since.
///
/// Used by the store's thread alone.
final class DigestedState: @unchecked Sendable {
  private var bytes: [UInt8]?
  private var number = 0

  /// What is written of a state behind its digest.
  func detail(of bytes: [UInt8], after number: Int, _ schema: RecordSchema) -> DigestDetail? {
    defer { (self.bytes, self.number) = (bytes, number) }
    if let old = self.bytes, let change = StateChange(from: old, after: self.number, to: bytes) {
      return .change(change)
    }
    return (try? StateParts(of: bytes, schema)).map { .parts($0) }
  }
}
