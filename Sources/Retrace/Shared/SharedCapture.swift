internal import ActionCoding
internal import Sharing
internal import Synchronization

/// The shared values that belong to a state, copied on the store's thread and encoded with the state
/// anywhere.
final class SharedCapture: SharedCoder, @unchecked Sendable {
  // Used by one thread at a time: first the store's, then the one that encodes.
  private let recorder: SharedRecorder
  private let isFirst: Bool
  private var held: [Int: (entry: SharedReferenceEntry, value: Any)] = [:]
  private var met: Set<Int> = []
  private var boxes = SharedBoxNumbers()
  /// What boxes held whose references were exchanged since.
  private let exchanged = Mutex<[ObjectIdentifier: Kept]>([:])

  private struct Kept: @unchecked Sendable {
    var box: any ExchangeableBox
    var content: AnyObject
  }
  /// How many references without a key reducers had made.
  var madeCount = 0

  init(_ recorder: SharedRecorder, isFirst: Bool) {
    self.recorder = recorder
    self.isFirst = isFirst
  }

  func add(_ value: Any, of entry: SharedReferenceEntry) {
    self.held[entry.number] = (entry, value)
  }

  /// Keeps what a box holds, whose reference is about to be exchanged.
  func keep(_ content: AnyObject, of box: any ExchangeableBox) {
    let kept = Kept(box: box, content: content)
    self.exchanged.withLock { exchanged in
      if exchanged[ObjectIdentifier(box)] == nil { exchanged[ObjectIdentifier(box)] = kept }
    }
  }

  // MARK: - SharedCoder

  func content(of box: any ExchangeableBox) -> AnyObject? {
    self.exchanged.withLock { $0[ObjectIdentifier(box)] }?.content
  }

  func number(of root: any AnyRootReference) -> (number: Int, value: Any)? {
    let entry = self.recorder.entry(of: root)
    self.met.insert(entry.number)
    if let known = self.held[entry.number] { return (entry.number, known.value) }
    // It was put into the state without being read or made by a reducer.
    let (value, version) = root.versionedValue
    if self.isFirst { self.recorder.know(version, of: entry) }
    self.held[entry.number] = (entry, value)
    return (entry.number, value)
  }

  func number(of box: any ExchangeableBox) -> Int { self.boxes.number(of: box) }

  // MARK: - Bytes

  /// The bytes of the state, with the numbers of what it shares.
  func bytes<State>(
    of state: State, _ coder: ValueCoder<State>
  ) throws(RecordOverflow) -> [UInt8] {
    self.met = []
    self.boxes = SharedBoxNumbers()
    return try SharedCoding(self).with { () throws(RecordOverflow) in try coder.bytes(of: state) }
  }

  /// The values for the log. There may be more of them while they are encoded.
  func values() -> SharedValues {
    let coding = SharedCoding(self)
    var contents: [Int: [UInt8]] = [:]
    while let (number, (entry, value)) = self.held.first(where: { contents[$0.key] == nil }) {
      guard let type = self.recorder.type(of: entry) else {
        self.held[number] = nil
        continue
      }
      self.boxes = SharedBoxNumbers()
      let gate = self.recorder.gate
      contents[number] = coding.with {
        encodePayload { (writer) throws(RecordOverflow) in try writer.put(value, type, gate) }
      }
    }
    return SharedValues(madeCount: self.madeCount, contents: contents)
  }

  /// What the state that was encoded last shares, for its digest; `nil` where not all of it may be
  /// written.
  func valuesInUse(_ gate: RecordingGate) -> [UInt8]? {
    digested(met: { self.met }) { number in
      guard let (entry, value) = self.held[number], let type = self.recorder.type(of: entry),
        type.coding.kind != .opaque
      else { return [] }
      self.boxes = SharedBoxNumbers()
      let bytes = SharedCoding(self).with {
        encodePayload { (writer) throws(RecordOverflow) in try type.coding.encode(value, &writer) }
      }
      guard case .whole = gate.pass(bytes, schema: type.schema) else { return nil }
      return bytes
    }
  }
}

/// The bytes of shared values that go into the digest of a state: of each that the state uses, and of
/// those that they use, the number and the value (counted), in the order of the numbers.
///
/// - Parameters:
///   - met: The numbers that have been met, of which there are more with each value.
///   - value: The bytes of a value; `nil` ends it.
func digested(met: () -> Set<Int>, value: (Int) -> [UInt8]?) -> [UInt8]? {
  var values: [Int: [UInt8]] = [:]
  while let number = met().first(where: { values[$0] == nil }) {
    guard let bytes = value(number) else { return nil }
    values[number] = bytes
  }
  return encodePayload { (writer) throws(RecordOverflow) in
    for (number, bytes) in values.sorted(by: { $0.key < $1.key }) {
      try writer.put(varint: UInt64(number))
      try bytes.span.bytes.withUnsafeBytes { (raw) throws(RecordOverflow) in
        try writer.put(counted: raw)
      }
    }
  }
}

/// The shared values that stand with a state in the log.
///
/// 0 if there are none; otherwise how many there are plus 1, how many references without a key
/// reducers had made by then, and of each the reference's number and its ``SharedContent`` (counted).
struct SharedValues: Equatable {
  var madeCount = 0
  /// The contents' bytes by the numbers of the references.
  var contents: [Int: [UInt8]] = [:]

  init(madeCount: Int = 0, contents: [Int: [UInt8]] = [:]) {
    self.madeCount = madeCount
    self.contents = contents
  }

  /// Gives a reference a value, nothing of which is redacted, as a ``SharedContent`` stands there.
  mutating func set(_ value: [UInt8], type: Int, of number: Int) {
    self.contents[number] = encodePayload { (writer) throws(RecordOverflow) in
      try writer.put(varint: UInt64(type))
      try writer.put(byte: 0)
      try value.span.bytes.withUnsafeBytes { (raw) throws(RecordOverflow) in
        try writer.put(raw: raw)
      }
    }
  }

  func put(to writer: inout RecordWriter) throws(RecordOverflow) {
    guard self.madeCount > 0 || !self.contents.isEmpty else { return try writer.put(varint: 0) }
    try writer.put(varint: UInt64(self.contents.count + 1))
    try writer.put(varint: UInt64(self.madeCount))
    for (number, content) in self.contents.sorted(by: { $0.key < $1.key }) {
      try writer.put(varint: UInt64(number))
      try content.span.bytes.withUnsafeBytes { (raw) throws(RecordOverflow) in
        try writer.put(counted: raw)
      }
    }
  }

  init(from reader: inout RecordReader) throws(RecordDecodingError) {
    let count = try reader.getInt("The count of a state's shared values")
    guard count > 0 else { return }
    self.madeCount = try reader.getInt("The count of shared values that reducers made")
    for _ in 1..<count {
      let number = try reader.getInt("The number of a shared value")
      self.contents[number] = Array(try reader.getCounted())
    }
  }

  /// What stands for a reference.
  func content(of number: Int) throws(RecordDecodingError) -> SharedContent? {
    guard let bytes = self.contents[number] else { return nil }
    return try bytes.span.bytes.withUnsafeBytes { (raw) throws(RecordDecodingError) in
      var reader = RecordReader(raw)
      return try SharedContent(from: &reader)
    }
  }
}
