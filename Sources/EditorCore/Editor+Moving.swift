extension TextBuffer {
  /// How far, in code points, the edge of a character is looked for: longer than any that people
  /// write, short enough to cost nothing.
  static let longestCharacter = 64

  /// The position at which the character before `position` starts.
  package func characterStart(before position: Int) -> Int {
    let position: Int = min(max(position, 0), count)
    let window: String = self[max(position - Self.longestCharacter, 0)..<position]
    guard let last = window.last else { return 0 }
    return position - last.unicodeScalars.count
  }

  /// The position at which the character that starts at `position` ends.
  package func characterEnd(after position: Int) -> Int {
    let position: Int = min(max(position, 0), count)
    let window: String = self[position..<min(position + Self.longestCharacter, count)]
    guard let first = window.first else { return position }
    return position + first.unicodeScalars.count
  }

  /// The column, in cells of a terminal, at which a position is shown.
  package func column(of position: Int) -> Int {
    let start: Int = range(ofLine: line(at: position)).lowerBound
    return DisplayWidth.of(self[start..<position])
  }

  /// The position in a line that is shown at a column, or the nearest before it.
  package func position(line: Int, column: Int) -> Int {
    let range: Range<Int> = range(ofLine: line)
    // No character is narrower than a cell but combining ones, which belong to the one before.
    var position: Int = range.lowerBound
    var reached = 0
    for character in self[range] {
      reached += DisplayWidth.of(character, at: reached)
      if reached > column { break }
      position += character.unicodeScalars.count
    }
    return position
  }
}

extension Editor.State {
  mutating func move(_ movement: Editor.Movement) {
    undoSteps.close()
    message = nil
    switch movement {
    case .up(let lines): move(lines: lines, up: true)
    case .down(let lines): move(lines: lines, up: false)
    default:
      goalColumn = nil
      cursor = target(of: movement)
    }
  }

  private func target(of movement: Editor.Movement) -> Int {
    switch movement {
    case .left: text.characterStart(before: cursor)
    case .right: text.characterEnd(after: cursor)
    case .lineStart: text.range(ofLine: text.line(at: cursor)).lowerBound
    case .lineEnd: text.range(ofLine: text.line(at: cursor)).upperBound
    case .textStart: 0
    case .textEnd: text.count
    case .up, .down: cursor
    }
  }

  private mutating func move(lines: Int, up: Bool) {
    let line: Int = text.line(at: cursor)
    let last: Int = text.lineCount - 1
    if line == (up ? 0 : last) {
      // There is no such line: the text's edge is as far as it goes.
      cursor = up ? 0 : text.count
      goalColumn = nil
      return
    }
    let column: Int = goalColumn ?? text.column(of: cursor)
    let distance: Int = min(max(lines, 0), text.lineCount)
    let target: Int = up ? max(line - distance, 0) : min(line + distance, last)
    cursor = text.position(line: target, column: column)
    goalColumn = column
  }
}
