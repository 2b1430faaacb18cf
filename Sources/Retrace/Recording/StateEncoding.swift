internal import ActionCoding

/// How the states of a stream become records; used on whatever thread encodes them.
struct StateEncoding<State>: Sendable {
  let coder: ValueCoder<State>
  let schema: RecordSchema
  let gate: RecordingGate

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

  /// The digest of a state; `nil` where it can't be encoded, or not all of it may be written: a
  /// replay could not come by the same one.
  func digest(of state: State, _ shared: SharedCapture) -> RecordDigest? {
    guard let bytes = try? shared.bytes(of: state, self.coder),
      case .whole = self.gate.pass(bytes, schema: self.schema),
      let values = shared.valuesInUse(self.gate)
    else { return nil }
    return RecordDigest(of: bytes + values)
  }
}
