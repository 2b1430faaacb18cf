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

  /// The most exchanges that are kept.
  private static var exchangeLimit: Int { 100 }

  /// Takes note that somebody else than a reducer has exchanged the reference of a `Shared`.
  ///
  /// - Parameter number: That of the last action before.
  func noteExchange(_ payload: UnsafeRawBufferPointer, after number: Int) {
    var reader = RecordReader(payload)
    guard self.exchanges.count < Self.exchangeLimit, (try? reader.getByte()) != nil,
      let was = try? reader.getInt("The number of a shared value"),
      let now = try? reader.getInt("The number of a shared value"),
      !self.exchanges.contains(where: { $0 == (was, now, number) })
    else { return }
    self.exchanges.append((was, now, number))
  }

  /// What others have done that may be why a replay differs in an action; `nil` where there is
  /// nothing.
  func hint(at number: Int) -> String? {
    guard let (was, now, _) = self.exchanges.last(where: { $0.number < number }) else { return nil }
    return """
      Outside of the reducers a 'Shared' of '\(self.definitions.name(of: was))' was given \
      '\(self.definitions.name(of: now))' before, as by 'load' or by setting a projected value. A \
      replay can't do that: where the state holds it, let a reducer do it.
      """
  }
}
