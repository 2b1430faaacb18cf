import Testing

@testable import RetraceCommands

@Suite struct PhraseTests {
  @Test func listsReadAsSentences() {
    #expect(Phrase.list([]) == "nothing")
    #expect(Phrase.list(["a"]) == "a")
    #expect(Phrase.list(["a", "b", "c"]) == "a, b and c")
    #expect(
      Phrase.list((1...12).map { "\($0)" }) == "1, 2, 3, 4, 5, 6, 7, 8 and 4 more")
    #expect(Phrase.numbers([1, 2, 3]) == "1 to 3")
    #expect(Phrase.numbers([1, 3, 4]) == "1, 3 and 4")
  }

  @Test func numbersAreGrouped() {
    #expect(Phrase.grouped(0) == "0")
    #expect(Phrase.grouped(999) == "999")
    #expect(Phrase.grouped(1_000) == "1,000")
    #expect(Phrase.grouped(UInt64.max) == "18,446,744,073,709,551,615")
    #expect(Phrase.count(1, "action") == "1 action")
    #expect(Phrase.count(2_000, "action") == "2,000 actions")
  }

  @Test func sizesHaveUnits() {
    #expect(Phrase.bytes(1) == "1 byte")
    #expect(Phrase.bytes(999) == "999 bytes")
    #expect(Phrase.bytes(1_250) == "1.3 kB")
    #expect(Phrase.bytes(999_960) == "1.0 MB")
    #expect(Phrase.bytes(64_000_000) == "64.0 MB")
    #expect(Phrase.bytes(5_000_000_000_000) == "5.0 TB")
  }

  @Test func decimalsAreFixed() {
    #expect(Phrase.decimal(0.0004, 3) == "0.000")
    #expect(Phrase.decimal(-0.05, 1) == "-0.1")
    #expect(Phrase.decimal(12.345, 2) == "12.35")
    #expect(Phrase.decimal(7, 0) == "7")
    #expect(Phrase.decimal(.infinity, 1) == "inf")
  }

  @Test func durationsHaveUnits() {
    #expect(Phrase.duration(microseconds: 312_000) == "0.312 s")
    #expect(Phrase.duration(microseconds: 12_500_000) == "12.5 s")
    #expect(Phrase.duration(microseconds: 184_000_000) == "3 min 04 s")
    #expect(Phrase.duration(microseconds: 7_500_000_000) == "2 h 05 min")
    #expect(Phrase.duration(microseconds: 90_000_000_000) == "1 d 01 h")
  }
}

@Suite struct LogTimeTests {
  @Test(arguments: [
    (UInt64(0), "1970-01-01T00:00:00.000000Z"),
    (951_782_400_000_001, "2000-02-29T00:00:00.000001Z"),
    (1_785_231_000_123_456, "2026-07-28T09:30:00.123456Z"),
    (4_107_542_399_999_999, "2100-02-28T23:59:59.999999Z"),
    (4_107_542_400_000_000, "2100-03-01T00:00:00.000000Z"),
  ])
  func timesForProgramsAreExact(microseconds: UInt64, text: String) {
    #expect(LogTime(microseconds).iso8601 == text)
  }

  @Test(arguments: [
    ("2026-07-28T09:30:00.123456Z", UInt64(1_785_231_000_123_456)),
    ("2026-07-28 11:30:00.123456+02:00", 1_785_231_000_123_456),
    ("2026-07-28T04:00:00.123456-0530", 1_785_231_000_123_456),
    ("2026-07-28T09:30Z", 1_785_231_000_000_000),
    ("1970-01-01T00:00Z", 0),
  ])
  func timesAreRead(text: String, microseconds: UInt64) throws {
    #expect(try Bound(text) == .time(LogTime(microseconds)))
  }

  @Test func numbersAndClocksAreRead() throws {
    #expect(try Bound("1200") == .position(.number(1_200)))
    #expect(try Bound("-5") == .position(.fromEnd(5)))
    #expect(try Bound("end") == .position(.end))
    #expect(try Bound("09:30") == .clock(microseconds: 34_200_000_000))
    #expect(try Bound("09:30:15.25") == .clock(microseconds: 34_215_250_000))
  }

  @Test func aClockMeansTheDayOfTheRun() throws {
    let start = LogTime(1_785_231_000_000_000)
    let clock: String = start.localClock
    #expect(try Bound(clock).time(runStart: start) == start)
    let sameDay: String = start.local
    #expect(try Bound(sameDay).time(runStart: start) == start)
    #expect(try Bound("12").time(runStart: start) == nil)
  }

  @Test(arguments: [
    "", "x", "25:00", "09:61", "2026-13-01", "2026-07-28T", "2026-07-28T09:30Q", "09:30:15.",
    "2026-07-28T09:30+9", "1-2",
  ])
  func anythingElseIsRefused(text: String) {
    let error: BoundError? = #expect(throws: BoundError.self) { try Bound(text) }
    #expect(error?.message == BoundError.grammar)
  }

  @Test func specialMistakesHaveTheirOwnText() {
    let old: BoundError? = #expect(throws: BoundError.self) { try Bound("1912-06-23T00:00Z") }
    #expect(old?.message == "the time is before 1970, and no log is that old")
    let stream: BoundError? = #expect(throws: BoundError.self) { try Bound("cart/5") }
    #expect(stream?.message == "the stream belongs into the address before it")
  }
}
