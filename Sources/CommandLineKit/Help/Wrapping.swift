/// Breaks text into lines at spaces.
enum Wrapping {
  /// Lines of at most `width` characters; a word that is longer has a line of its own.
  ///
  /// Lines that start with a space, and empty ones, are kept as they are.
  static func lines(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if paragraph.isEmpty || paragraph.hasPrefix(" ") {
        lines.append(String(paragraph))
        continue
      }
      var line = ""
      for word in paragraph.split(separator: " ") {
        if line.isEmpty {
          line = String(word)
        } else if line.count + 1 + word.count <= max(width, 1) {
          line += " \(word)"
        } else {
          lines.append(line)
          line = String(word)
        }
      }
      lines.append(line)
    }
    return lines
  }

  /// `label` at the left and `help` in a column at its right, as every list of help is set.
  static func entry(label: String, help: String, column: Int, width: Int) -> [String] {
    let indent = String(repeating: " ", count: column)
    let wrapped: [String] = Wrapping.lines(help, width: max(width - column, 20))
    let head: String = "  " + label
    guard let first = wrapped.first, !help.isEmpty else { return [head] }
    let rest: [String] = wrapped.dropFirst().map { indent + $0 }
    if head.count + 2 <= column {
      let gap = String(repeating: " ", count: column - head.count)
      return [head + gap + first] + rest
    }
    return [head, indent + first] + rest
  }
}
