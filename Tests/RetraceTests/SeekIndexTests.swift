import ActionLog
import Foundation
import TestSupport
import Testing

@testable import Retrace

/// The file of states beside a log, and the states that a timeline keeps in memory.
@Suite
struct SeekIndexTests {
  let folder: TemporaryFolder
  private let identity = Array("this build, this log".utf8)

  init() throws {
    self.folder = try TemporaryFolder()
  }

  private func plan(_ spacing: Int) -> SideIndexPlan {
    var plan = SideIndexPlan()
    plan.spacing = spacing...spacing
    plan.share = 1_000
    plan.maximumBytes = 1 << 20
    return plan
  }

  /// The bytes that stand for the state after an action.
  private func state(_ number: Int) -> [UInt8] {
    (0...number % 90).map { UInt8(truncatingIfNeeded: number &* 31 &+ ($0 % 7) &* number) }
  }

  /// Writes a file with the state after each third action.
  private func write(
    through last: Int, plan: SideIndexPlan? = nil,
    _ form: (@escaping @Sendable () -> [UInt8]?) -> SideIndexState = { .bytes($0() ?? []) }
  ) throws -> SideIndexWriter {
    let writer = try #require(
      SideIndexWriter(
        in: self.folder.path("states"), named: "1-1.states", identity: self.identity,
        range: 0...last, logBytes: 0, plan: plan ?? self.plan(3)))
    for number in 1...last {
      let bytes = self.state(number)
      writer.note(number, sequence: UInt64(number + 10)) { form { bytes } }
    }
    return writer
  }

  private func open(
    readAtOnce: Int = SideIndexFile.readAtOnce, lastSequence: UInt64 = 99
  ) -> SideIndex? {
    SideIndex(
      at: self.folder.path("states/1-1.states"), identity: self.identity,
      lastSequence: lastSequence, readAtOnce: readAtOnce)
  }

  /// The number of the state that a jump would begin at, which has to be that action's.
  private func found(in index: SideIndex, upTo number: Int) -> Int? {
    guard let last = index.place(upTo: number) else { return nil }
    for place in (0...last).reversed() {
      guard let entry = index.entry(at: place) else { continue }
      #expect(entry.number <= number)
      #expect(entry.sequence == UInt64(entry.number + 10))
      guard let bytes = index.state(entry) else { continue }
      #expect(bytes == self.state(entry.number))
      return entry.number
    }
    return nil
  }

  @Test(arguments: [1, 2, 3, 383, 384, 385, 386, 387, 1_500])
  func everyStateIsFoundInAnyNumberOfPages(last: Int) throws {
    let writer = try self.write(through: last)
    let isWritten = writer.finish(through: last, lastSequence: 99)
    #expect(isWritten == (last >= 3))
    guard isWritten else {
      #expect(self.open() == nil)
      return
    }
    for readAtOnce in [0, 60, 500, 1 << 14, 1 << 20] {
      let index = try #require(self.open(readAtOnce: readAtOnce))
      #expect(index.count == last / 3)
      #expect(index.lastSequence == 99)
      for number in Array(0...min(last, 12)) + Array(max(0, last - 400)...last + 2) {
        let expected = min(number, last) / 3 * 3
        #expect(self.found(in: index, upTo: number) == (expected == 0 ? nil : expected))
      }
    }
    #expect(self.open(lastSequence: 98) == nil)
  }

  @Test func everyByteOfTheFileMayBeWrong() throws {
    let last = 900
    #expect(try self.write(through: last).finish(through: last, lastSequence: 99))
    let file = URL(fileURLWithPath: self.folder.path("states/1-1.states"))
    let whole = try Data(contentsOf: file)
    let tail = whole.count - 3 * 8 - self.identity.count - SideIndexFile.endSize
    var refused = 0
    for place in Array(stride(from: 0, to: tail, by: 97)) + Array(tail..<whole.count) {
      var damaged = whole
      damaged[place] ^= 1 << UInt8(place % 8)
      try damaged.write(to: file)
      guard let index = self.open(readAtOnce: place % 2 == 0 ? 0 : 1 << 20) else {
        refused += 1
        continue
      }
      // Whatever is found is right.
      for number in [2, 3, 300, 384, 385, 386, 600, last] {
        let found = self.found(in: index, upTo: number)
        if place >= tail - 3 * 4 - 300 * 32, found == nil { #expect(number <= 386) }
      }
    }
    // What stands behind the table is believed as a whole or not at all; four bytes say nothing.
    #expect(refused == whole.count - tail - 4)
    for length in [0, 1, 15, 16, 47, 48, 100, whole.count / 2, whole.count - 1] {
      try whole.prefix(length).write(to: file)
      #expect(self.open() == nil)
    }
    try (whole + [0]).write(to: file)
    #expect(self.open() == nil)
    try whole.write(to: file)
    #expect(self.open() != nil)
  }

  @Test func anotherThreadWritesTheSame() throws {
    let last = 900
    #expect(
      try self.write(through: last) { .later($0) }.finish(through: last, lastSequence: 99))
    let index = try #require(self.open())
    // Those that have to wait too long are written by the thread that waits.
    #expect(index.count == 300)
    for number in 3...last { #expect(self.found(in: index, upTo: number) == number / 3 * 3) }
  }

  @Test func statesBehindTheLastThatIsBelievedAreLeftOut() throws {
    #expect(try self.write(through: 900) { .later($0) }.finish(through: 500, lastSequence: 99))
    let index = try #require(self.open())
    #expect(index.numbers == Array(stride(from: 3, through: 498, by: 3)))
  }

  @Test func whatIsNotFinishedIsRemoved() throws {
    do {
      let writer = try self.write(through: 100) { .later($0) }
      _ = writer
    }
    try self.write(through: 100).discard()
    #expect(try FileManager.default.contentsOfDirectory(atPath: self.folder.path("states")) == [])
  }

  @Test func aStateWithoutBytesIsLeftOut() throws {
    let writer = try self.write(through: 9) { _ in .later { nil } }
    #expect(!writer.finish(through: 9, lastSequence: 99))
    #expect(self.open() == nil)
  }

  @Test func roomIsSpreadEvenly() throws {
    var plan = self.plan(3)
    plan.maximumBytes = 8_000
    let last = 30_000
    let writer = try self.write(through: last, plan: plan)
    #expect(writer.finish(through: last, lastSequence: 99))
    let file = URL(fileURLWithPath: self.folder.path("states/1-1.states"))
    #expect((6_500...8_000).contains(try Data(contentsOf: file).count))
    let numbers = try #require(self.open()).numbers
    #expect(numbers.count > 70)
    for (before, after) in zip(numbers, numbers.dropFirst()) {
      #expect(after - before < 4 * last / numbers.count)
    }
  }

  // MARK: - In memory

  private func note(_ cache: inout StateCache<Int>, _ numbers: ClosedRange<Int>, isRecent: Bool) {
    for number in numbers {
      cache.note(ReplayMoment(state: -number), at: number, isRecent: isRecent)
    }
  }

  private func found(in cache: StateCache<Int>, upTo number: Int) -> Int? {
    guard let known = cache.nearest(upTo: number) else { return nil }
    #expect(known.moment.state == -known.number)
    return known.number
  }

  @Test func stepsBackAreKeptAndFarJumpsAreNot() {
    #expect(StateCache<Int>.kept(from: 1_000, to: 999) == 256)
    #expect(StateCache<Int>.kept(from: 1_000, to: 744) == 256)
    #expect(StateCache<Int>.kept(from: 1_000, to: 743) == 0)
    #expect(StateCache<Int>.kept(from: 1_000, to: 1_000) == 0)
    #expect(StateCache<Int>.kept(from: 1_000, to: 1_001) == 0)
  }

  @Test func theNearestKnownStateIsFound() {
    var cache = StateCache<Int>()
    #expect(self.found(in: cache, upTo: 5_000) == nil)
    self.note(&cache, 1...3_000, isRecent: false)
    #expect(self.found(in: cache, upTo: 1_023) == nil)
    #expect(self.found(in: cache, upTo: 1_024) == 1_024)
    #expect(self.found(in: cache, upTo: 2_999) == 2_048)
    self.note(&cache, 2_500...2_755, isRecent: true)
    self.note(&cache, 2_244...2_499, isRecent: true)
    for number in 2_244...2_755 { #expect(self.found(in: cache, upTo: number) == number) }
    #expect(self.found(in: cache, upTo: 2_243) == 2_048)
    #expect(self.found(in: cache, upTo: 9_000) == 2_755)
    // Of two rows the older one goes.
    self.note(&cache, 100...200, isRecent: true)
    #expect(self.found(in: cache, upTo: 2_755) == 2_499)
    #expect(self.found(in: cache, upTo: 150) == 150)
    #expect(self.found(in: cache, upTo: 99) == nil)
  }

  @Test func asManyAreKeptAsALimitAllows() {
    var cache = StateCache<Int>()
    self.note(&cache, 1...1_000_000, isRecent: false)
    let kept = Set((1...1_000).compactMap { self.found(in: cache, upTo: $0 * 1_000) })
    #expect((32...64).contains(kept.count))
    #expect(cache.nextStop(after: 1_000_000) == 1_015_808)
    self.note(&cache, 1...2_000, isRecent: true)
    // Two rows, the last of which is not full.
    #expect((1...2_000).filter { self.found(in: cache, upTo: $0) == $0 } == Array(1_537...2_000))
  }
}
