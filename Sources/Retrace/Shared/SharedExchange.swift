internal import ActionCoding
internal import Sharing

/// Another reference for a `Shared` of the state, which somebody else than a reducer has put there.
///
/// In the log: the number of the reference that was there and of the one that is; how many steps lead
/// from the latter to the part of it, and the steps (strings), as in a state; in how many places of
/// the state the `Shared` stands, and these, each as its distance from the one before. Places are
/// counted from 0 in the order in which the state's bytes have them; what shared values hold has none.
struct SharedExchange: Equatable {
  var was: Int
  var now: Int
  var steps: [String] = []
  /// In order.
  var places: [Int]

  func put(to writer: inout RecordWriter) throws(RecordOverflow) {
    try writer.put(varint: UInt64(self.was))
    try writer.put(varint: UInt64(self.now))
    try writer.put(varint: UInt64(self.steps.count))
    for step in self.steps { try writer.put(string: step) }
    try writer.put(varint: UInt64(self.places.count))
    var last = 0
    for place in self.places {
      try writer.put(varint: UInt64(place - last))
      last = place
    }
  }

  init(was: Int, now: Int, steps: [String] = [], places: [Int]) {
    self.was = was
    self.now = now
    self.steps = steps
    self.places = places
  }

  init(from reader: inout RecordReader) throws(RecordDecodingError) {
    self.was = try reader.getInt("The number of a shared value")
    self.now = try reader.getInt("The number of a shared value")
    for _ in 0..<(try reader.getInt("The count of steps to a part")) {
      self.steps.append(try reader.getString())
    }
    self.places = []
    var last = 0
    for _ in 0..<(try reader.getInt("The count of places")) {
      let (place, isTooLarge) = last.addingReportingOverflow(
        try reader.getInt("The distance of a place"))
      if isTooLarge { throw reader.error("A place is too far.") }
      self.places.append(place)
      last = place
    }
  }
}

/// The boxes of all that a state shares, by their places.
final class SharedBoxPlaces: SharedCoder {
  private(set) var boxes: [any ExchangeableBox] = []

  /// - Returns: `nil` where the state can't be gone through.
  init?<State>(in state: State, _ coder: ValueCoder<State>) {
    let coding = SharedCoding(self)
    do throws(RecordOverflow) {
      _ = try RecordWriter.bytes { (writer) throws(RecordOverflow) in
        // Where memory did not suffice it begins anew.
        self.boxes.removeAll(keepingCapacity: true)
        try coding.with { () throws(RecordOverflow) in try coder.encode(state, to: &writer) }
      }
    } catch {
      return nil
    }
  }

  /// Where a box stands, in order.
  func places(of box: any ExchangeableBox) -> [Int] {
    self.boxes.indices.filter { self.boxes[$0] === box }
  }

  // MARK: - SharedCoder

  func passes(_ box: any ExchangeableBox) -> Bool {
    self.boxes.append(box)
    return true
  }

  func number(of root: any AnyRootReference) -> (number: Int, value: Any)? { nil }
  func number(of box: any ExchangeableBox) -> Int { 0 }
}
