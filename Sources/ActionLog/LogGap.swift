/// Records that are missing from a log, and why, as the log itself recorded it.
public struct LogGap: Hashable, Sendable, CustomStringConvertible {
  /// The numbers of the records that were lost; nil when none had been taken.
  public var sequences: ClosedRange<UInt64>?
  /// Records that were not taken at all, and have no numbers.
  public var dropped: UInt64
  /// The system's error number, or `limitReached`; 0 when it is not known.
  public var cause: Int32

  /// The cause of a gap where the log had as many bytes as its retention allows.
  public static let limitReached: Int32 = -1

  public init(sequences: ClosedRange<UInt64>?, dropped: UInt64, cause: Int32) {
    self.sequences = sequences
    self.dropped = dropped
    self.cause = cause
  }

  /// Whether nothing was lost.
  public var isEmpty: Bool { sequences == nil && dropped == 0 }

  /// Such as `records 5 to 9 were lost, and 3 more not taken: No space left on device`.
  public var description: String {
    var text: String
    if let sequences {
      let isOne = sequences.lowerBound == sequences.upperBound
      text =
        isOne
        ? "record \(sequences.lowerBound) was lost"
        : "records \(sequences.lowerBound) to \(sequences.upperBound) were lost"
      if dropped > 0 { text += ", and \(dropped) more not taken" }
    } else if dropped == 0 {
      text = "nothing was lost"
    } else {
      text = dropped == 1 ? "1 record was not taken" : "\(dropped) records were not taken"
    }
    switch cause {
    case 0: break
    case Self.limitReached: text += ": the log had the bytes that its retention allows"
    default: text += ": \(systemText(cause))"
    }
    return text
  }

  /// The payload of a record of kind `gap`.
  func encoded() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.put(sequences?.lowerBound ?? 0)
    bytes.put(sequences?.upperBound ?? 0)
    bytes.put(dropped)
    bytes.put(UInt32(bitPattern: cause))
    bytes.put(UInt32(0))
    return bytes
  }

  /// Reads the payload of a record of kind `gap`; nil when it is none.
  public init?(_ payload: UnsafeRawBufferPointer) {
    guard payload.count == 32 else { return nil }
    let first = payload.number(UInt64.self, at: 0)
    let last = payload.number(UInt64.self, at: 8)
    guard first <= last, (first == 0) == (last == 0) else { return nil }
    sequences = first == 0 ? nil : first...last
    dropped = payload.number(UInt64.self, at: 16)
    cause = Int32(bitPattern: payload.number(UInt32.self, at: 24))
  }
}
