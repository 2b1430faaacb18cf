/// Writes one line of JSON, piece by piece, with no tree in between.
///
/// ```swift
/// var line = JSONLine()
/// line.field("number", 12)
/// line.object("origin") { $0.field("kind", "user") }
/// ```
package struct JSONLine: Sendable {
  package private(set) var bytes: [UInt8]
  private var needsComma = false

  /// Opens an object whose first field is the version of this form of output.
  package init(version: Int = 1) {
    bytes = []
    // Most lines fit, so that they grow once only.
    bytes.reserveCapacity(256)
    bytes.append(UInt8(ascii: "{"))
    field("version", version)
  }

  /// The line so far, closed.
  package var text: String { String(decoding: bytes, as: UTF8.self) + "}" }

  private mutating func name(_ name: String) {
    separate()
    JSONText.append(name, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  package mutating func field(_ name: String, _ value: String) {
    self.name(name)
    JSONText.append(value, to: &bytes)
  }

  package mutating func field(_ name: String, _ value: some BinaryInteger) {
    self.name(name)
    bytes.append(contentsOf: String(value).utf8)
  }

  package mutating func field(_ name: String, _ value: Bool) {
    self.name(name)
    bytes.append(contentsOf: (value ? "true" : "false").utf8)
  }

  /// A number; JSON has no form for those that are not finite, so they become text.
  package mutating func field(_ name: String, _ value: Double) {
    guard value.isFinite else {
      field(name, value.isNaN ? "nan" : value > 0 ? "inf" : "-inf")
      return
    }
    self.name(name)
    bytes.append(contentsOf: "\(value)".utf8)
  }

  package mutating func null(_ name: String) {
    self.name(name)
    bytes.append(contentsOf: "null".utf8)
  }

  /// A value that is JSON already.
  package mutating func json(_ name: String, _ json: some Sequence<UInt8>) {
    self.name(name)
    bytes.append(contentsOf: json)
  }

  package mutating func object(_ name: String, _ body: (inout JSONLine) -> Void) {
    self.name(name)
    nested(body)
  }

  package mutating func array<Element>(
    _ name: String, _ elements: some Sequence<Element>, _ body: (inout JSONLine, Element) -> Void
  ) {
    self.name(name)
    bytes.append(UInt8(ascii: "["))
    needsComma = false
    for element in elements {
      separate()
      nested { body(&$0, element) }
    }
    bytes.append(UInt8(ascii: "]"))
    needsComma = true
  }

  package mutating func strings(_ name: String, _ values: some Sequence<String>) {
    self.name(name)
    bytes.append(UInt8(ascii: "["))
    needsComma = false
    for value in values {
      separate()
      JSONText.append(value, to: &bytes)
    }
    bytes.append(UInt8(ascii: "]"))
    needsComma = true
  }

  private mutating func nested(_ body: (inout JSONLine) -> Void) {
    bytes.append(UInt8(ascii: "{"))
    needsComma = false
    body(&self)
    bytes.append(UInt8(ascii: "}"))
    needsComma = true
  }
}

extension OutputChannel {
  /// Writes a line of JSON.
  package func json(_ line: JSONLine) throws(OutputError) {
    try write { (bytes: inout [UInt8]) in
      bytes.append(contentsOf: line.bytes)
      bytes.append(UInt8(ascii: "}"))
      bytes.append(UInt8(ascii: "\n"))
    }
  }
}

/// Strings as JSON writes them.
package enum JSONText {
  /// Appends the text in quotes, with escapes.
  package static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    var text: String = text
    text.withUTF8 { (utf8: UnsafeBufferPointer<UInt8>) in
      // Stretches between characters that need an escape are copied at once.
      var start = 0
      for (index, byte) in utf8.enumerated() where needsEscape(byte) {
        bytes.append(contentsOf: utf8[start..<index])
        appendEscape(of: byte, to: &bytes)
        start = index + 1
      }
      bytes.append(contentsOf: utf8[start...])
    }
    bytes.append(UInt8(ascii: "\""))
  }

  // Delete is allowed in JSON, but no terminal should get it.
  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F
  }

  private static func appendEscape(of byte: UInt8, to bytes: inout [UInt8]) {
    let hex: StaticString = "0123456789abcdef"
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    default:
      bytes.append(contentsOf: "u00".utf8)
      bytes.append(hex.utf8Start[Int(byte >> 4)])
      bytes.append(hex.utf8Start[Int(byte & 15)])
    }
  }
}
