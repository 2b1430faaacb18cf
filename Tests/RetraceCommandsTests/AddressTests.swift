import Testing

@testable import RetraceCommands

@Suite struct AddressTests {
  @Test(
    arguments: [
      ("1200", nil, nil, Position.number(1_200)),
      ("0", nil, nil, .number(0)),
      ("end", nil, nil, .end),
      ("-5", nil, nil, .fromEnd(5)),
      ("2:1200", 2, nil, .number(1_200)),
      ("2:/end", 2, nil, .end),
      ("cart/1200", nil, "cart", .number(1_200)),
      ("2:cart/-1", 2, "cart", .fromEnd(1)),
      ("a/b/3", nil, "a/b", .number(3)),
      ("x:y/3", nil, "x:y", .number(3)),
      ("2:x:y/3", 2, "x:y", .number(3)),
      ("1/7", nil, "1", .number(7)),
    ] as [(String, UInt32?, String?, Position)])
  func placesAreRead(text: String, run: UInt32?, stream: String?, position: Position) throws {
    let address: Address = try Address(text)
    #expect(address.stream == StreamReference(run: run, stream: stream))
    #expect(address.position == position)
  }

  @Test(arguments: [
    ("1000-1200", Position.number(1_000), Position.number(1_200), false),
    ("7", .number(7), .number(7), true),
    ("-5-end", .fromEnd(5), .end, false),
    ("-10--5", .fromEnd(10), .fromEnd(5), false),
    ("10--5", .number(10), .fromEnd(5), false),
    ("1000-", .number(1_000), .end, false),
    ("2:cart/5-", .number(5), .end, false),
  ])
  func rangesAreRead(text: String, lower: Position, upper: Position, isSingle: Bool) throws {
    let range: AddressRange = try AddressRange(text)
    #expect(range.lower == lower)
    #expect(range.upper == upper)
    #expect(range.isSingle == isSingle)
  }

  @Test(arguments: [
    "", "-", "x", "12x", "12-x", "end5", "1-2-3", "--5", "2:", "cart/", "1,200", "+5", "1.5", "٣",
    "12-13 ",
  ])
  func anythingElseIsRefused(text: String) {
    let error: AddressError? = #expect(throws: AddressError.self) { try AddressRange(text) }
    #expect(error?.message == AddressError.rangeGrammar)
  }

  @Test func specialMistakesHaveTheirOwnText() {
    func message(_ text: String) -> String? {
      do {
        _ = try Address(text)
        return nil
      } catch { return error.message }
    }
    #expect(
      AddressError.grammar == "an address is a number, 'end', '-5' (the fifth from the end), or "
        + "one of these behind a stream, as in '2:cart/1200'")
    #expect(message("1-2") == "it is a range, and one place is needed here, as in '1200'")
    #expect(message("/5") == "the stream before '/' is missing; \(AddressError.grammar)")
    #expect(message("-0") == "'-1' is the last one, so '-0' is none")
    #expect(message("99999999999999999999") == "99999999999999999999 is too large a number")
    #expect(message("99999999999:5") == "the run 99999999999 is too large a number")
  }
}

@Suite struct StreamSpanTests {
  static let cart = StreamSpan(run: 2, stream: "cart", lastAction: 1_200)

  @Test(arguments: [("1", 1), ("end", 1_200), ("-1", 1_200), ("-1200", 1)])
  func actionsAreFound(text: String, number: Int) throws {
    #expect(try Self.cart.action(Address(text).position) == number)
    #expect(Self.cart.address(number) == "2:cart/\(number)")
  }

  @Test(arguments: [
    ("1201", "Action 1201 does not exist: stream cart of run 2 has actions 1 to 1200."),
    ("-1201", "Action -1201 does not exist: stream cart of run 2 has actions 1 to 1200."),
    (
      "18446744073709551615",
      "Action 18446744073709551615 does not exist: stream cart of run 2 has actions 1 to 1200."
    ),
    (
      "0",
      "Action 0 does not exist: stream cart of run 2 has actions 1 to 1200. "
        + "State 0 is the initial state, before the first action."
    ),
  ])
  func whatIsNotThereIsNamed(text: String, message: String) throws {
    let position: Position = try Address(text).position
    let error: PositionError? = #expect(throws: PositionError.self) {
      try Self.cart.action(position)
    }
    #expect(error?.description == message)
  }

  @Test func statesBeginAtZero() throws {
    #expect(try Self.cart.state(.number(0)) == 0)
    #expect(try Self.cart.state(.fromEnd(1_201)) == 0)
    #expect(try Self.cart.state(.end) == 1_200)
    let error: PositionError? = #expect(throws: PositionError.self) {
      try Self.cart.state(.number(1_201))
    }
    #expect(
      error?.description
        == "State 1201 does not exist: stream cart of run 2 has states 0 to 1200.")
  }

  @Test func emptyStreamsHaveOneState() {
    let empty = StreamSpan(run: 1, stream: "search", lastAction: 0)
    let action: PositionError? = #expect(throws: PositionError.self) { try empty.action(.end) }
    #expect(action?.description == "Stream search of run 1 has no action.")
    let state: PositionError? = #expect(throws: PositionError.self) {
      try empty.state(.number(1))
    }
    #expect(
      state?.description == "State 1 does not exist: stream search of run 1 has only state 0.")
    #expect(throws: Never.self) { try empty.state(.end) }
  }

  @Test func prunedLogsBeginLater() throws {
    let span = StreamSpan(run: 4, stream: "cart", firstAction: 900, lastAction: 1_000)
    #expect(try span.action(.fromEnd(101)) == 900)
    #expect(try span.state(.number(899)) == 899)
    let error: PositionError? = #expect(throws: PositionError.self) {
      try span.action(.number(5))
    }
    #expect(
      error?.description
        == "Action 5 does not exist: stream cart of run 4 has actions 900 to 1000.")
  }

  @Test func rangesKeepTheirDirection() throws {
    #expect(try Self.cart.actions(AddressRange("-5-end")) == 1_196...1_200)
    #expect(try Self.cart.actions(AddressRange("7")) == 7...7)
    let error: PositionError? = #expect(throws: PositionError.self) {
      try Self.cart.actions(AddressRange("9-7"))
    }
    #expect(error?.description == "The range 9-7 is the wrong way round; write 7-9.")
  }
}
