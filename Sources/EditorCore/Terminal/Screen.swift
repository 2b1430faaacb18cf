/// The size of a terminal, in cells.
package struct ScreenSize: Equatable, Sendable {
  package var columns: Int
  package var rows: Int

  package init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }
}

/// What a terminal is to show.
package struct Frame: Equatable, Sendable {
  /// One string a row, none wider than the screen. The last is the status line.
  package var rows: [String]
  package var cursorRow: Int
  package var cursorColumn: Int
}

/// The part of a text that a terminal shows: it follows the cursor.
package struct Viewport: Equatable, Sendable {
  package var topLine = 0
  package var leftColumn = 0

  package init() {}

  /// The frame that shows a state on a screen.
  package mutating func frame(of state: Editor.State, size: ScreenSize) -> Frame {
    let columns: Int = max(size.columns, 1)
    let textRows: Int = max(size.rows - 1, 1)
    let line: Int = state.text.line(at: state.cursor)
    let column: Int = state.text.column(of: state.cursor)
    follow(line: line, column: column, columns: columns, rows: textRows)
    var rows: [String] = []
    for row in 0..<textRows {
      let shown: Int = topLine + row
      rows.append(
        shown < state.text.lineCount
          ? visible(state.text, line: shown, columns: columns) : "~")
    }
    if size.rows > 1 { rows.append(status(of: state, line: line, column: column, columns)) }
    return Frame(rows: rows, cursorRow: line - topLine, cursorColumn: column - leftColumn)
  }

  private mutating func follow(line: Int, column: Int, columns: Int, rows: Int) {
    topLine = min(max(topLine, line - rows + 1), line)
    if column < leftColumn || column >= leftColumn + columns {
      // Half a screen at a time, so that typing does not move the text with every key.
      leftColumn = column < columns ? 0 : column - columns / 2
    }
  }

  private func visible(_ text: TextBuffer, line: Int, columns: Int) -> String {
    let range: Range<Int> = text.range(ofLine: line)
    var visible = ""
    var column = 0
    let end: Int = leftColumn + columns
    for character in text[range] {
      let width: Int = DisplayWidth.of(character, at: column)
      let next: Int = column + width
      if next > end { break }
      if column >= leftColumn {
        visible += DisplayWidth.visible(character, at: column)
      } else if next > leftColumn {
        // Half of it is off the screen.
        visible += String(repeating: " ", count: next - leftColumn)
      }
      column = next
    }
    return visible
  }

  private func status(
    of state: Editor.State, line: Int, column: Int, _ columns: Int
  ) -> String {
    let name: String = state.path ?? "no file"
    let mark: String = state.isModified ? " *" : ""
    let words: String = state.wordCount == 1 ? "1 word" : "\(state.wordCount) words"
    var parts: [String] = [name + mark]
    switch state.message {
    case .note(let message)?, .refusal(let message)?: parts.append(message)
    case nil: break
    }
    parts += ["line \(line + 1), column \(column + 1)", words]
    if state.message == nil { parts.append("^S save  ^Z undo  ^Y redo  ^Q quit") }
    return Self.fitted(parts.joined(separator: " | "), columns: columns)
  }

  /// A text cut or filled up to a width.
  static func fitted(_ text: String, columns: Int) -> String {
    var fitted = ""
    var column = 0
    for character in text {
      let width: Int = DisplayWidth.of(character, at: column)
      if column + width > columns { break }
      fitted += DisplayWidth.visible(character, at: column)
      column += width
    }
    return fitted + String(repeating: " ", count: columns - column)
  }
}

/// Turns frames into what a terminal has to be sent: only the rows that changed.
package struct FramePainter {
  private var shown: [String]?

  package init() {}

  /// Forgets what is shown, for instance since the screen has another size.
  package mutating func invalidate() { shown = nil }

  package mutating func paint(_ frame: Frame) -> String {
    var output = "\u{1B}[?25l"
    if shown == nil { output += "\u{1B}[2J" }
    for (row, text) in frame.rows.enumerated()
    where shown?.indices.contains(row) != true
      || shown?[row] != text
    {
      let isStatus: Bool = row > 0 && row == frame.rows.count - 1
      output += "\u{1B}[\(row + 1);1H"
      output += isStatus ? "\u{1B}[7m\(text)\u{1B}[0m" : "\(text)\u{1B}[K"
    }
    shown = frame.rows
    output += "\u{1B}[\(frame.cursorRow + 1);\(frame.cursorColumn + 1)H\u{1B}[?25h"
    return output
  }
}

extension Editor.State {
  /// Whether the text has changes that were not saved.
  package var isModified: Bool { revision != savedRevision }
}
