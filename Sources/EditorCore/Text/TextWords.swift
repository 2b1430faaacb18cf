/// Counts words: maximal runs of code points that are not white space.
///
/// A word is counted where it starts. An edit thus changes the count by what happens in the text
/// that it removes and inserts, and at the one code point behind it.
enum TextWords {
  /// The words that start in `bytes` (UTF-8), and at `next`, the code point behind them, when
  /// `previous` stands before them. Nil stands for the start or the end of the text.
  static func starts(
    in bytes: UnsafeRawBufferPointer, after previous: Unicode.Scalar?,
    before next: Unicode.Scalar? = nil
  ) -> Int {
    var inWord: Bool = previous.map { !isSpace($0) } ?? false
    var starts = 0
    var index = 0
    while index < bytes.count {
      let byte: UInt8 = bytes[index]
      let space: Bool
      if byte < 0x80 {
        space = isSpace(ascii: byte)
        index += 1
      } else {
        let (scalar, length) = UTF8Bytes.scalar(in: bytes, at: index)
        space = isSpace(scalar)
        index += length
      }
      if !space && !inWord { starts += 1 }
      inWord = !space
    }
    if let next, !inWord, !isSpace(next) { starts += 1 }
    return starts
  }

  static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x80
      ? isSpace(ascii: UInt8(truncatingIfNeeded: scalar.value)) : scalar.properties.isWhitespace
  }

  @inline(__always)
  static func isSpace(ascii byte: UInt8) -> Bool {
    byte == 0x20 || (byte >= 0x09 && byte <= 0x0D)
  }
}

/// Small tools for bytes that are known to be valid UTF-8.
enum UTF8Bytes {
  /// Whether a byte starts a code point.
  @inline(__always)
  static func isStart(_ byte: UInt8) -> Bool { byte & 0xC0 != 0x80 }

  /// The code point at `index`, and the number of its bytes.
  static func scalar(
    in bytes: UnsafeRawBufferPointer, at index: Int
  ) -> (scalar: Unicode.Scalar, length: Int) {
    let first: UInt8 = bytes[index]
    let length: Int = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    guard length > 1, index + length <= bytes.count else { return (Unicode.Scalar(first), 1) }
    var value: UInt32 = UInt32(first) & (0xFF >> UInt32(length + 1))
    for offset in 1..<length {
      value = value << 6 | UInt32(bytes[index + offset] & 0x3F)
    }
    return (Unicode.Scalar(value) ?? "\u{FFFD}", length)
  }

  /// The number of code points in `bytes`.
  static func scalars(in bytes: UnsafeRawBufferPointer) -> Int {
    var continuations = 0
    for byte in bytes where !isStart(byte) { continuations += 1 }
    return bytes.count - continuations
  }

  /// The greatest index at or before `index` at which a code point starts.
  static func aligned(_ index: Int, in bytes: UnsafeRawBufferPointer) -> Int {
    var index = index
    while index > 0, index < bytes.count, !isStart(bytes[index]) { index -= 1 }
    return index
  }
}
