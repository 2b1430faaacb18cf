extension StringProtocol {
  var isMultiline: Bool { utf8.contains(UInt8(ascii: "\n")) }

  /// The lines, of which there is always one; a line end at the end is followed by an empty line.
  var dumpLines: [String] {
    let scalars = unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    return scalars.map { String(String.UnicodeScalarView($0)) }
  }

  /// How many `#` a literal of this text needs, so that no quote in it ends the literal and no
  /// backslash in it begins an escape.
  func hashCount(isMultiline: Bool) -> Int {
    var needed = 0
    var quotes = 0
    // The number of # that have followed a quote or a backslash, nil elsewhere.
    var hashes: Int?
    let significantQuotes: Int = isMultiline ? 3 : 1
    for byte in utf8 {
      switch byte {
      case UInt8(ascii: "\""):
        quotes += 1
        hashes = quotes >= significantQuotes ? 0 : nil
      case UInt8(ascii: "\\"):
        quotes = 0
        hashes = 0
      case UInt8(ascii: "#"):
        quotes = 0
        hashes = hashes.map { $0 + 1 }
      default:
        quotes = 0
        hashes = nil
      }
      if let hashes { needed = Swift.max(needed, hashes + 1) }
    }
    return needed
  }

  /// This text, of one line, as a literal.
  var quoted: String {
    let hasControl: Bool = unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
    let hashCount: Int = hasControl ? 0 : hashCount(isMultiline: false)
    guard hashCount > 0 else { return String(self).debugDescription }
    let hashes = String(repeating: "#", count: hashCount)
    return "\(hashes)\"\(self)\"\(hashes)"
  }
}
