/// A place in a log as a user writes it: `1200`, `end`, `-5`, `cart/1200`, `2:cart/1200`.
struct Address: Hashable, Sendable {
  var stream: StreamReference
  var position: Position
}

/// Places from one to another: `1000-1200`, `-5-end`, `2:cart/1000-`.
struct AddressRange: Hashable, Sendable {
  var stream: StreamReference
  var lower: Position
  var upper: Position

  /// Whether one place was written, not two.
  var isSingle: Bool
}

/// The stream that an address is about: the last run and its only stream unless it says more.
struct StreamReference: Hashable, Sendable {
  var run: UInt32?
  var stream: String?

  init(run: UInt32? = nil, stream: String? = nil) {
    self.run = run
    self.stream = stream
  }
}

extension StreamReference {
  /// Reads `cart`, `2:cart` or `2:`; a slash at the end, as before an action's number, may stay.
  init(_ text: String) throws(AddressError) {
    var body: Substring = text.hasSuffix("/") ? text.dropLast() : text[...]
    self.init()
    run = try AddressRange.takeRun(&body)
    if !body.isEmpty {
      stream = String(body)
    } else if run == nil {
      throw AddressError(message: "a stream is a name, or a run and a name as in '2:cart'")
    }
  }
}

/// A number of an action, or of the state after it.
enum Position: Hashable, Sendable {
  case number(UInt64)
  /// The last one.
  case end
  /// Counted from the end: 1 is the last one.
  case fromEnd(UInt64)
}

/// A text that is no address, as the end of a sentence.
struct AddressError: Error, Hashable, Sendable {
  var message: String

  static let grammar =
    "an address is a number, 'end', '-5' (the fifth from the end), or one of these behind a "
    + "stream, as in '2:cart/1200'"
  static let rangeGrammar =
    "\(grammar); a range is two of them, as in '1000-1200' or '2:cart/1000-1200'"
}

extension Address {
  init(_ text: String) throws(AddressError) {
    let range: AddressRange = try AddressRange(text, grammar: AddressError.grammar)
    guard range.isSingle else {
      throw AddressError(message: "it is a range, and one place is needed here, as in '1200'")
    }
    self.init(stream: range.stream, position: range.lower)
  }
}

extension AddressRange {
  init(_ text: String) throws(AddressError) {
    try self.init(text, grammar: AddressError.rangeGrammar)
  }

  fileprivate init(_ text: String, grammar: String) throws(AddressError) {
    var rest: Substring = text[...]
    stream = StreamReference()
    // The name of a stream may hold slashes, a place can't.
    if let slash = rest.lastIndex(of: "/") {
      var head: Substring = rest[..<slash]
      rest = rest[rest.index(after: slash)...]
      stream.run = try Self.takeRun(&head)
      if !head.isEmpty {
        stream.stream = String(head)
      } else if stream.run == nil {
        throw AddressError(message: "the stream before '/' is missing; \(grammar)")
      }
    } else {
      stream.run = try Self.takeRun(&rest)
    }
    lower = try Self.takePosition(&rest, grammar)
    if rest.isEmpty {
      upper = lower
      isSingle = true
      return
    }
    guard rest.first == "-" else { throw AddressError(message: grammar) }
    rest = rest.dropFirst()
    upper = rest.isEmpty ? .end : try Self.takePosition(&rest, grammar)
    isSingle = false
    guard rest.isEmpty else { throw AddressError(message: grammar) }
  }

  /// Takes `2:` from the front, when digits stand before the colon.
  fileprivate static func takeRun(_ text: inout Substring) throws(AddressError) -> UInt32? {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    let digits: Substring = text[..<colon]
    guard !digits.isEmpty, digits.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
    else { return nil }
    guard let run = UInt32(digits) else {
      throw AddressError(message: "the run \(digits) is too large a number")
    }
    text = text[text.index(after: colon)...]
    return run
  }

  private static func takePosition(
    _ text: inout Substring, _ grammar: String
  ) throws(AddressError) -> Position {
    if text.hasPrefix("end") {
      text = text.dropFirst(3)
      return .end
    }
    let isFromEnd: Bool = text.first == "-"
    let body: Substring = isFromEnd ? text.dropFirst() : text
    let digits: Substring = body.prefix { ("0"..."9").contains($0) && $0.isASCII }
    guard !digits.isEmpty else { throw AddressError(message: grammar) }
    guard let number = UInt64(digits) else {
      throw AddressError(message: "\(digits) is too large a number")
    }
    text = body[digits.endIndex...]
    guard isFromEnd else { return .number(number) }
    guard number > 0 else {
      throw AddressError(message: "'-1' is the last one, so '-0' is none")
    }
    return .fromEnd(number)
  }
}
