internal import ActionCoding
internal import CommandLineKit

/// Differences of two values as lines.
struct DifferenceText {
  /// Texts longer than this are shown by what differs in them.
  static let longText = 60
  /// How much of a text is shown on both sides of what differs.
  static let context = 12
  /// Values are cut at this length; `state` prints them whole.
  static let valueLimit = 200

  let palette: Palette

  /// `wordCount  12 → 13`; for long texts, what was taken out and put in.
  func line(path: String, old: RecordValue?, new: RecordValue?) -> String {
    let name: String = path.isEmpty ? "the whole" : path
    return "\(palette.cyan(name))  \(change(old, new))"
  }

  /// `12 → 13`.
  func change(_ old: RecordValue?, _ new: RecordValue?) -> String {
    if case .string(let before) = old, case .string(let after) = new,
      max(before.unicodeScalars.count, after.unicodeScalars.count) > Self.longText
    {
      return text(before, after)
    }
    let from: String = old.map { $0.text(limit: Self.valueLimit) } ?? "absent"
    let to: String = new.map { $0.text(limit: Self.valueLimit) } ?? "absent"
    return "\(palette.red(from)) → \(palette.green(to))"
  }

  /// `at 120: -"old" +"new" in "…before|after…"`, with positions in Unicode code points.
  private func text(_ before: String, _ after: String) -> String {
    let old: [Unicode.Scalar] = Array(before.unicodeScalars)
    let new: [Unicode.Scalar] = Array(after.unicodeScalars)
    let shorter: Int = min(old.count, new.count)
    var start = 0
    while start < shorter, old[start] == new[start] { start += 1 }
    var end = 0
    while end < shorter - start, old[old.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
    let removed: [Unicode.Scalar] = Array(old[start..<(old.count - end)])
    let inserted: [Unicode.Scalar] = Array(new[start..<(new.count - end)])
    let left = Array(new[max(0, start - Self.context)..<start])
    let behind: Int = new.count - end
    let right = Array(new[behind..<min(new.count, behind + Self.context)])
    var parts: [String] = ["at \(start):"]
    if !removed.isEmpty { parts.append(palette.red("-\(Self.quoted(removed))")) }
    if !inserted.isEmpty { parts.append(palette.green("+\(Self.quoted(inserted))")) }
    if removed.isEmpty, inserted.isEmpty { parts.append("equal texts of other code points") }
    parts.append("after \(Self.quoted(left)), before \(Self.quoted(right))")
    return parts.joined(separator: " ")
  }

  private static func quoted(_ scalars: [Unicode.Scalar]) -> String {
    var string = String.UnicodeScalarView()
    string.append(contentsOf: scalars)
    return RecordValue.string(String(string)).text(limit: valueLimit)
  }
}

extension JSONLine {
  /// Adds a value that may be absent, which is told apart from one that is nil.
  mutating func value(_ name: String, _ value: RecordValue?) {
    guard let value else { return }
    json(name, value.json().utf8)
  }
}
