/// A record that restates what a segment needs to be replayed by itself.
///
/// It stands before the segment's records and takes no sequence number.
public struct PreambleRecord: Hashable, Sendable {
  public var kind: RecordKind
  public var stream: UInt16
  public var payload: [UInt8]

  public init(kind: RecordKind, stream: UInt16, payload: [UInt8]) {
    self.kind = kind
    self.stream = stream
    self.payload = payload
  }
}

/// What the next segment begins with.
public struct SegmentCut: Hashable, Sendable {
  public var records: [PreambleRecord]
  /// Whether it is all that is needed to replay every stream from here.
  ///
  /// Retention removes only what stands before such a segment.
  public var isComplete: Bool

  public init(_ records: [PreambleRecord], isComplete: Bool) {
    self.records = records
    self.isComplete = isComplete
  }
}
