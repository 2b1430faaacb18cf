extension TextBuffer {
  /// The line, counted from 0, that a position is in. Clamped to the text.
  package func line(at position: Int) -> Int {
    root.lineFeeds(before: min(max(position, 0), count))
  }

  /// The position at which a line starts. Clamped to the lines that there are.
  package func start(ofLine line: Int) -> Int {
    if line <= 0 { return 0 }
    return root.position(afterLineFeed: min(line, root.size.lineFeeds))
  }

  /// The positions of a line without the characters that end it: a line feed, or a carriage
  /// return and a line feed.
  package func range(ofLine line: Int) -> Range<Int> {
    if root.size.lineFeeds == 0 { return 0..<count }
    let line: Int = min(max(line, 0), root.size.lineFeeds)
    let start: Int = self.start(ofLine: line)
    guard line < root.size.lineFeeds else { return start..<count }
    var end: Int = self.start(ofLine: line + 1) - 1
    if end > start, scalar(at: end - 1) == "\r" { end -= 1 }
    return start..<end
  }
}
