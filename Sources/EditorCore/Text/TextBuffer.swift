/// A text that is edited by positions in Unicode code points, each edit in logarithmic time.
///
/// It is a value: a copy costs a retain, and an edit of a copy shares all but the path that it
/// changes. An edit of a text that nobody shares happens in place.
///
/// ```swift
/// var text = TextBuffer("naïve text")
/// let removed = try text.replace(at: 2, delete: 1, insert: "i")  // "ï"
/// String(text)  // "naive text"
/// ```
package struct TextBuffer: Sendable {
  var root: TextNode

  /// The number of words: maximal runs of code points that are not white space.
  ///
  /// Kept up to date from the neighbourhood of each edit, never by reading the whole text.
  package private(set) var wordCount: Int

  package init() {
    root = TextNode(leaf: [])
    wordCount = 0
  }

  package init(_ string: String) {
    var string = string
    (root, wordCount) = string.withUTF8 { bytes in
      (
        TextNode.build(UnsafeRawBufferPointer(bytes)),
        TextWords.starts(in: UnsafeRawBufferPointer(bytes), after: nil)
      )
    }
  }

  /// The number of code points.
  package var count: Int { root.size.scalars }

  /// The number of bytes of the text's UTF-8.
  package var utf8Count: Int { root.size.bytes }

  /// The number of lines: one more than there are line feeds.
  package var lineCount: Int { root.size.lineFeeds + 1 }

  package var isEmpty: Bool { root.size.bytes == 0 }

  /// Replaces `delete` code points at `at` by `insert`.
  ///
  /// - Returns: What was removed.
  /// - Throws: ``TextBufferError`` where the text has no such code points; it is then unchanged.
  @discardableResult
  package mutating func replace(
    at: Int, delete: Int, insert: String
  ) throws(TextBufferError) -> String {
    guard at >= 0, at <= count, delete >= 0, delete <= count - at else {
      throw TextBufferError(at: at, delete: delete, count: count)
    }
    let upper: Int = at + delete
    let previous: Unicode.Scalar? = at == 0 ? nil : root.scalar(at: at - 1)
    let next: Unicode.Scalar? = upper == count ? nil : root.scalar(at: upper)
    let removed: [UInt8] = delete == 0 ? [] : root.bytes(from: at, to: upper)
    var insert = insert
    wordCount += insert.withUTF8 { (inserted: UnsafeBufferPointer<UInt8>) -> Int in
      let inserted = UnsafeRawBufferPointer(inserted)
      let before: Int = removed.withUnsafeBytes {
        TextWords.starts(in: $0, after: previous, before: next)
      }
      let after: Int = TextWords.starts(in: inserted, after: previous, before: next)
      TextNode.replace(&root, from: at, to: upper, with: inserted)
      return after - before
    }
    return String(decoding: removed, as: UTF8.self)
  }

  /// The code points from `range.lowerBound` up to `range.upperBound`, clamped to the text.
  package subscript(range: Range<Int>) -> String {
    let lower: Int = min(max(range.lowerBound, 0), count)
    let upper: Int = min(max(range.upperBound, lower), count)
    return lower == upper ? "" : String(decoding: root.bytes(from: lower, to: upper), as: UTF8.self)
  }

  /// The code point at a position, or nil where the text has none.
  package func scalar(at position: Int) -> Unicode.Scalar? {
    position >= 0 && position < count ? root.scalar(at: position) : nil
  }

  /// Calls `body` with the text's UTF-8, piece by piece and in order.
  package func forEachPiece(_ body: (UnsafeRawBufferPointer) throws -> Void) rethrows {
    try root.forEachLeaf { leaf in try leaf.withUnsafeBytes(body) }
  }
}

/// An edit that does not fit the text.
package struct TextBufferError: Error, Equatable, CustomStringConvertible {
  /// Where the edit was to happen, in code points.
  package var at: Int
  /// How many code points it was to delete.
  package var delete: Int
  /// How many code points the text has.
  package var count: Int

  package var description: String {
    if at < 0 || at > count {
      return "position \(at) is outside the text, which has the positions 0 to \(count)"
    }
    if delete < 0 {
      return "\(delete) code points can't be deleted: the number must not be negative"
    }
    return """
      \(delete) code points can't be deleted at position \(at): the text ends after \
      \(count - at) more
      """
  }
}
