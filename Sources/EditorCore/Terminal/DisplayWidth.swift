/// How many cells of a terminal characters take.
package enum DisplayWidth {
  /// Every so many cells there is a tab stop.
  static let tab = 8

  /// The cells of a text that starts at column 0.
  package static func of(_ text: some StringProtocol) -> Int {
    var column = 0
    for character in text { column += of(character, at: column) }
    return column
  }

  /// The cells of a character at a column, on which the width of a tab depends.
  package static func of(_ character: Character, at column: Int) -> Int {
    if let ascii = character.asciiValue, ascii >= 0x20, ascii < 0x7F { return 1 }
    if character == "\t" { return tab - column % tab }
    var width = 0
    for scalar in character.unicodeScalars {
      if scalar.properties.isEmojiPresentation || (scalar.value == 0xFE0F && width == 1) {
        // However many emoji are joined, or a symbol that is to look like one: two cells.
        width = 2
      } else {
        width += of(scalar)
      }
    }
    return width
  }

  /// What stands in for a character that would move the terminal's cursor, such as `^[`.
  package static func visible(_ character: Character, at column: Int) -> String {
    if character == "\t" { return String(repeating: " ", count: of(character, at: column)) }
    guard let scalar = character.unicodeScalars.first, isControl(scalar) else {
      return String(character)
    }
    return character.unicodeScalars.map(caret).joined()
  }

  private static func of(_ scalar: Unicode.Scalar) -> Int {
    if isControl(scalar) { return caret(scalar).count }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    // The vowels and final consonants of Hangul syllables written in parts.
    if (0x1160...0x11FF).contains(scalar.value) { return 0 }
    return isWide(scalar.value) ? 2 : 1
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
      || scalar.value == 0x2028 || scalar.value == 0x2029
  }

  private static func caret(_ scalar: Unicode.Scalar) -> String {
    switch scalar.value {
    case 0..<0x20: "^" + String(Character(Unicode.Scalar(UInt8(scalar.value + 0x40))))
    case 0x7F: "^?"
    default: "?"
    }
  }

  /// The blocks of East Asian characters that terminals show in two cells (UAX #11, W and F).
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF,
    0x4E00...0x9FFF, 0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
    0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF,
    0x1AFF0...0x1B2FF, 0x20000...0x2FFFD, 0x30000...0x3FFFD,
  ]

  private static func isWide(_ value: UInt32) -> Bool {
    guard value >= 0x1100 else { return false }
    return wide.contains { $0.contains(value) }
  }
}
