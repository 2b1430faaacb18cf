/// Reads JSON from bytes, value by value, as far as the lines of a pipe need it.
struct JSONScanner {
  /// How deep values that are skipped may be nested: the scanner calls itself for each level.
  static let maximumDepth = 128

  private let bytes: UnsafeRawBufferPointer
  private var index = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// The byte, counted from 1, at which the next token starts.
  var nextByte: Int {
    mutating get {
      skipSpace()
      return index + 1
    }
  }

  /// Takes a character that must come next.
  mutating func expect(
    _ character: Unicode.Scalar, _ what: @autoclosure () -> String
  ) throws(PipeInputError) {
    skipSpace()
    guard index < bytes.count, bytes[index] == UInt8(ascii: character) else {
      throw missing(what())
    }
    index += 1
  }

  /// Takes a character where it comes next.
  mutating func take(_ character: Unicode.Scalar) throws(PipeInputError) -> Bool {
    skipSpace()
    guard index < bytes.count else { throw missing("more") }
    guard bytes[index] == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  mutating func expectEnd() throws(PipeInputError) {
    skipSpace()
    guard index == bytes.count else { throw fault("Something follows the object", at: index) }
  }

  /// A whole number.
  mutating func integer(_ what: @autoclosure () -> String) throws(PipeInputError) -> Int {
    skipSpace()
    let start: Int = index
    let isNegative: Bool = index < bytes.count && bytes[index] == UInt8(ascii: "-")
    if isNegative { index += 1 }
    let digits: Int = index
    var value = 0
    while index < bytes.count, case let digit = bytes[index] &- UInt8(ascii: "0"), digit < 10 {
      let (tenfold, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, overflowed) = tenfold.subtractingReportingOverflow(Int(digit))
      if overflow || overflowed { throw fault("A number is too large", at: start) }
      value = sum
      index += 1
    }
    guard index > digits else { throw missing(what(), at: start) }
    if index < bytes.count, [".", "e", "E"].contains(Unicode.Scalar(bytes[index])) {
      throw fault("A number is not a whole one", at: start)
    }
    if index > digits + 1, bytes[digits] == UInt8(ascii: "0") {
      throw fault("A number starts with 0", at: start)
    }
    // Counted downwards, since there is one more negative number than there are positive ones.
    if isNegative { return value }
    let (positive, overflow) = (0).subtractingReportingOverflow(value)
    if overflow { throw fault("A number is too large", at: start) }
    return positive
  }

  mutating func string(_ what: @autoclosure () -> String) throws(PipeInputError) -> String {
    skipSpace()
    let start: Int = index
    guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else { throw missing(what()) }
    index += 1
    let first: Int = index
    while index < bytes.count {
      let byte: UInt8 = bytes[index]
      if byte == UInt8(ascii: "\"") {
        let text: String = try decoded(bytes[first..<index], at: start)
        index += 1
        return text
      }
      if byte == UInt8(ascii: "\\") { return try escapedString(from: first, start: start) }
      if byte < 0x20 { throw fault("A control character is not escaped", at: index) }
      index += 1
    }
    throw fault("A string does not end", at: start)
  }

  /// Passes over a value of any kind.
  mutating func skipValue(depth: Int = 0) throws(PipeInputError) {
    guard depth < Self.maximumDepth else {
      throw fault("Values are nested more than \(Self.maximumDepth) deep", at: index)
    }
    skipSpace()
    guard index < bytes.count else { throw missing("a value") }
    switch bytes[index] {
    case UInt8(ascii: "{"):
      index += 1
      if try take("}") { return }
      repeat {
        _ = try string("a member's name")
        try expect(":", "a colon")
        try skipValue(depth: depth + 1)
      } while try take(",")
      try expect("}", "a comma or the object's end")
    case UInt8(ascii: "["):
      index += 1
      if try take("]") { return }
      repeat { try skipValue(depth: depth + 1) } while try take(",")
      try expect("]", "a comma or the array's end")
    case UInt8(ascii: "\""):
      _ = try string("a string")
    default:
      try skipWordOrNumber()
    }
  }
}

extension JSONScanner {
  private mutating func skipSpace() {
    while index < bytes.count {
      switch bytes[index] {
      case 0x20, 0x09, 0x0A, 0x0D: index += 1
      default: return
      }
    }
  }

  private mutating func skipWordOrNumber() throws(PipeInputError) {
    let start: Int = index
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "E"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
        index += 1
        continue
      default: break
      }
      break
    }
    let word = String(decoding: bytes[start..<index], as: UTF8.self)
    guard ["true", "false", "null"].contains(word) || Self.isNumber(word) else {
      throw missing("a value", at: start)
    }
  }

  private static func isNumber(_ word: String) -> Bool {
    var digits: Substring = word.hasPrefix("-") ? word.dropFirst() : word[...]
    let whole: Substring = digits.prefix { $0.isNumber }
    if whole.isEmpty || (whole.count > 1 && whole.hasPrefix("0")) { return false }
    digits = digits.dropFirst(whole.count)
    if digits.hasPrefix(".") {
      digits = digits.dropFirst()
      let fraction: Substring = digits.prefix { $0.isNumber }
      if fraction.isEmpty { return false }
      digits = digits.dropFirst(fraction.count)
    }
    if digits.hasPrefix("e") || digits.hasPrefix("E") {
      digits = digits.dropFirst()
      if digits.hasPrefix("+") || digits.hasPrefix("-") { digits = digits.dropFirst() }
      return !digits.isEmpty && digits.allSatisfy(\.isNumber)
    }
    return digits.isEmpty
  }

  private func decoded(
    _ part: Slice<UnsafeRawBufferPointer>, at start: Int
  ) throws(PipeInputError) -> String {
    guard let text = String(validating: part, as: UTF8.self) else {
      throw fault("A string is not UTF-8", at: start)
    }
    return text
  }

  /// The rest of a string in which the first escape was met at `index`.
  private mutating func escapedString(
    from first: Int, start: Int
  ) throws(PipeInputError) -> String {
    var text: [UInt8] = Array(bytes[first..<index])
    while index < bytes.count {
      let byte: UInt8 = bytes[index]
      switch byte {
      case UInt8(ascii: "\""):
        index += 1
        guard let string = String(validating: text, as: UTF8.self) else {
          throw fault("A string is not UTF-8", at: start)
        }
        return string
      case UInt8(ascii: "\\"):
        text.append(contentsOf: UTF8.encode(try escape()).map(Array.init) ?? [])
      case 0..<0x20:
        throw fault("A control character is not escaped", at: index)
      default:
        text.append(byte)
        index += 1
      }
    }
    throw fault("A string does not end", at: start)
  }

  /// The code point that an escape stands for.
  private mutating func escape() throws(PipeInputError) -> Unicode.Scalar {
    let start: Int = index
    guard index + 1 < bytes.count else { throw fault("A string does not end", at: start) }
    let letter = Unicode.Scalar(bytes[index + 1])
    index += 2
    switch letter {
    case "\"", "\\", "/": return letter
    case "b": return "\u{8}"
    case "f": return "\u{C}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "u": break
    default: throw fault("There is no escape \\\(letter.escaped(asASCII: true))", at: start)
    }
    let unit: UInt32 = try hexadecimal(at: start)
    if let scalar = Unicode.Scalar(unit) { return scalar }
    // Half of a pair: the other half must follow.
    guard unit < 0xDC00, index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"),
      bytes[index + 1] == UInt8(ascii: "u")
    else { throw fault("A surrogate stands alone", at: start) }
    index += 2
    let low: UInt32 = try hexadecimal(at: start)
    guard (0xDC00...0xDFFF).contains(low),
      let scalar = Unicode.Scalar(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00))
    else { throw fault("A surrogate stands alone", at: start) }
    return scalar
  }

  private mutating func hexadecimal(at start: Int) throws(PipeInputError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard index < bytes.count, let digit = Character(Unicode.Scalar(bytes[index])).hexDigitValue
      else { throw fault("An escape \\u needs four hexadecimal digits", at: start) }
      value = value << 4 | UInt32(digit)
      index += 1
    }
    return value
  }

  private func fault(_ reason: String, at index: Int) -> PipeInputError {
    PipeInputError(reason: reason, byte: index + 1)
  }

  private func missing(_ what: String, at index: Int? = nil) -> PipeInputError {
    let index: Int = index ?? self.index
    let found: String =
      index < bytes.count ? "something else stands" : "the line ends"
    return fault("Not JSON of an edit or a command: \(what) is expected, and \(found)", at: index)
  }
}
