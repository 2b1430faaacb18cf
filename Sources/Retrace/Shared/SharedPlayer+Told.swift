internal import ActionCoding

// What the log tells of shared values beside what they hold, for who reports of a replay.
extension SharedPlayer {
  /// Takes note of what a value that has come has only placeholders of.
  func noteRedacted(in content: SharedContent, of number: Int) {
    guard !content.redacted.isEmpty else { return }
    let name = self.definitions.name(of: number)
    self.redacted += content.redacted.map { $0.isEmpty ? name : "\(name).\($0)" }
  }

  /// The paths of what was taken out of shared values since it was asked for the last time.
  func takeRedacted() -> [String] {
    guard !self.redacted.isEmpty else { return [] }
    defer { self.redacted = [] }
    return self.redacted
  }

  /// Takes note of what was taken out of the first state, and of the values that stand with it.
  func noteRedacted(
    _ paths: [String], in table: SharedValues
  ) throws(RecordDecodingError) {
    self.redacted += paths
    for number in table.contents.keys.sorted() {
      if let content = try table.content(of: number) { self.noteRedacted(in: content, of: number) }
    }
  }
}
