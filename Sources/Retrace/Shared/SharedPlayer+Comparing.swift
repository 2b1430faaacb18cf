internal import ActionCoding

// What references hold, compared with what stands with a state in the log.
extension SharedPlayer {
  /// The first reference that holds something else than stands with a state in the log.
  func firstDifference(from table: SharedValues) -> ValueDifference? {
    let recorded = SharedResolution(table, self.definitions)
    for number in table.contents.keys.sorted() {
      guard let content = try? table.content(of: number), let value = content.value,
        let now = self.bytes(of: number), !value.elementsEqual(now)
      else { continue }
      var other = SharedValues(contents: table.contents)
      other.set(now, type: content.type, of: number)
      let difference = ValueDifference(
        path: self.definitions.name(of: number), first: recorded.value(of: number),
        second: SharedResolution(other, self.definitions).value(of: number))
      // Of what was redacted there is only a placeholder in the log.
      if !content.redacted.isEmpty, difference.isOfRedactedAlone { continue }
      return difference
    }
    return nil
  }
}

extension ValueDifference {
  /// Whether nothing differs but where the first value has only placeholders.
  fileprivate var isOfRedactedAlone: Bool {
    guard let first = self.first, let second = self.second else { return false }
    return first.differences(from: second).allSatisfy(\.isOfRedacted)
  }
}
