internal import ActionCoding
internal import Sharing

/// What one run of a reducer does with shared values, in order: the events, each a use of a
/// reference.
///
/// In the log: the count of all events, then those that are listed, as many as there are: the
/// reference's number × 8 plus the use plus 4 if it follows several times, and then how often. What
/// comes after ``runLimit`` different ones is only counted.
struct SharedTrace: Equatable {
  /// The most runs of equal events that are listed: a reducer that goes through all elements of a
  /// large array, each with a shared value, is not to fill the log with it.
  static let runLimit = 1_024

  struct Run: Equatable {
    var number: Int
    var use: SharedUse
    var count: Int
  }

  private(set) var runs: [Run] = []
  private(set) var count = 0

  var isEmpty: Bool { self.count == 0 }

  mutating func removeAll() {
    guard self.count != 0 else { return }
    self.runs.removeAll(keepingCapacity: true)
    self.count = 0
  }

  mutating func add(_ number: Int, _ use: SharedUse) {
    self.count += 1
    if let last = self.runs.last, last.number == number, last.use == use {
      self.runs[self.runs.count - 1].count += 1
    } else if self.runs.count < Self.runLimit {
      self.runs.append(Run(number: number, use: use, count: 1))
    }
  }

  func put(to writer: inout RecordWriter) throws(RecordOverflow) {
    try writer.put(varint: UInt64(self.count))
    for run in self.runs {
      let several: UInt64 = run.count > 1 ? 4 : 0
      try writer.put(varint: UInt64(run.number) << 3 | several | UInt64(run.use.rawValue))
      if run.count > 1 { try writer.put(varint: UInt64(run.count)) }
    }
  }

  init() {}

  init(from reader: inout RecordReader) throws(RecordDecodingError) {
    self.count = try reader.getInt("The count of a reducer's shared values")
    while reader.remaining > 0 {
      let word = try reader.getVarint()
      guard let use = SharedUse(rawValue: UInt8(word & 3)), let number = Int(exactly: word >> 3)
      else { throw reader.error("A shared value was used in a way that is not known here.") }
      let count = word & 4 == 0 ? 1 : try reader.getInt("The count of a shared value's uses")
      self.runs.append(Run(number: number, use: use, count: count))
    }
  }

  /// The first event that is another one than in `other`: its ordinal from 1, and what stands at its
  /// place here and there; `nil` for nothing.
  func firstDifference(from other: SharedTrace) -> (ordinal: Int, here: Run?, there: Run?)? {
    var ordinal = 0
    for index in 0..<max(self.runs.count, other.runs.count) {
      let here = index < self.runs.count ? self.runs[index] : nil
      let there = index < other.runs.count ? other.runs[index] : nil
      if here == there {
        ordinal += here?.count ?? 0
        continue
      }
      guard let here, let there, here.number == there.number, here.use == there.use else {
        return (ordinal + 1, here, there)
      }
      // One of them goes on longer; what the other one does then is the difference.
      let common = min(here.count, there.count)
      let next = index + 1
      return (
        ordinal + common + 1,
        here.count > common ? here : (next < self.runs.count ? self.runs[next] : nil),
        there.count > common ? there : (next < other.runs.count ? other.runs[next] : nil)
      )
    }
    return self.count == other.count ? nil : (ordinal + 1, self.runs.last, other.runs.last)
  }
}
