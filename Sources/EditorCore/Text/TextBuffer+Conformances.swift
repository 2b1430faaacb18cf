extension TextBuffer: Equatable {
  /// Whether both hold the same code points, whatever the shape of their trees.
  ///
  /// Texts that share their root or differ in length are told apart at once.
  package static func == (left: TextBuffer, right: TextBuffer) -> Bool {
    if left.root === right.root { return true }
    guard left.root.size == right.root.size, left.wordCount == right.wordCount else { return false }
    return left.root.bytes(from: 0, to: left.count) == right.root.bytes(from: 0, to: right.count)
  }
}

/// A text is encoded as one string.
extension TextBuffer: Codable {
  package init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(String.self))
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(String(self))
  }
}

extension TextBuffer: ExpressibleByStringLiteral {
  package init(stringLiteral value: String) {
    self.init(value)
  }
}

extension TextBuffer: CustomStringConvertible {
  package var description: String { String(self) }
}

extension String {
  /// The whole of a text.
  package init(_ text: TextBuffer) {
    self.init(unsafeUninitializedCapacity: text.utf8Count) { target in
      var offset = 0
      text.forEachPiece { piece in
        UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(target)[offset...])
          .copyMemory(from: piece)
        offset += piece.count
      }
      return offset
    }
  }
}
