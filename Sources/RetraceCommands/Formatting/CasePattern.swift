/// A pattern for the name of an action's case, as `edit`, `destination.*` or `*Response`.
///
/// Each part, between dots, is matched with one level of nested cases; deeper levels may follow.
/// In a part `*` stands for any text and `?` for one character.
struct CasePattern: Hashable, Sendable {
  private let parts: [[Character]]

  init(_ text: String) {
    let body: Substring = text.hasPrefix(".") ? text.dropFirst() : text[...]
    parts = body.split(separator: ".", omittingEmptySubsequences: false).map(Array.init)
  }

  /// Whether it matches the names of an action's nested cases, the outermost first.
  func matches(_ names: [String]) -> Bool {
    guard names.count >= parts.count else { return false }
    return zip(parts, names).allSatisfy { Self.matches($0, Array($1)) }
  }

  // Goes back to the last star only, so that the work is bounded by the product of the lengths.
  private static func matches(_ pattern: [Character], _ text: [Character]) -> Bool {
    var inPattern = 0
    var inText = 0
    var star: (pattern: Int, text: Int)?
    while inText < text.count {
      if inPattern < pattern.count, pattern[inPattern] == "*" {
        star = (inPattern, inText)
        inPattern += 1
      } else if inPattern < pattern.count,
        pattern[inPattern] == "?" || pattern[inPattern] == text[inText]
      {
        inPattern += 1
        inText += 1
      } else if let last = star {
        star = (last.pattern, last.text + 1)
        inPattern = last.pattern + 1
        inText = last.text + 1
      } else {
        return false
      }
    }
    return pattern[inPattern...].allSatisfy { $0 == "*" }
  }
}
