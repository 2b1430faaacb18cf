/// The name of a type as a log knows it: with its nesting, but without its module.
///
/// It is the same in every process, and stays the same when a type moves to another module. The
/// keys that `@DependencyEntry` makes have the names of their properties.
func readName(of type: Any.Type) -> String {
  var name: String = typeName(type)
  // As in `(extension in App):Library.Outer.Name`.
  while let start = name.range(of: "(extension in "),
    let end = name.range(of: "):", from: start.upperBound)
  {
    name.removeSubrange(start.lowerBound..<end.upperBound)
  }
  var result = ""
  var part = ""
  func finish() {
    // What follows type arguments is nested in the type that has them.
    result += part.hasPrefix(".") ? part : withoutModule(part)
    part = ""
  }
  // Type arguments have modules of their own.
  for character in name {
    if "<>, ()".contains(character) {
      finish()
      result.append(character)
    } else {
      part.append(character)
    }
  }
  finish()
  return result
}

private func withoutModule(_ name: String) -> String {
  var parts: [Substring] = name.split(separator: ".")
  if parts.count > 1 { parts.removeFirst() }
  if parts.count > 1, parts[0] == "DependencyValues" { parts.removeFirst() }
  let prefix = "__Key_"
  if let last = parts.last, last.hasPrefix(prefix) {
    parts[parts.count - 1] = last.dropFirst(prefix.count)
  }
  return parts.joined(separator: ".")
}

extension String {
  /// Where a text is, the first time.
  fileprivate func range(of text: String, from start: Index? = nil) -> Range<Index>? {
    self[(start ?? self.startIndex)...].firstRange(of: text)
  }
}
