internal import CustomDump

/// The name of a value's type and, for an enum, of its case and those of the enums in it, for
/// messages to the developer: `Feature.Action.rows(.element(id:, action: .tap))`.
///
/// The rest of the payload is left out: it may be large.
package func describeCase<Value>(_ value: Value) -> String {
  if let value = value as? any CustomDebugStringConvertible { return value.debugDescription }
  return shortTypeName(Value.self) + caseText(value)
}

/// The case of a value and those of the enums in it, as `.rows(.element(id:, action: .tap))`; empty
/// where it is no enum.
func caseText(_ value: Any) -> String {
  let mirror = Mirror(reflecting: value)
  switch mirror.displayStyle {
  case .enum:
    guard let child = mirror.children.first else { return ".\(value)" }
    let payload = caseText(child.value)
    return ".\(child.label ?? "")\(payload.isEmpty ? "" : "(\(payload))")"
  case .tuple:
    return mirror.children.map { field in
      let text = caseText(field.value)
      let label = field.label.flatMap { $0.hasPrefix(".") ? nil : $0 } ?? "_"
      return "\(label):\(text.isEmpty ? "" : " \(text)")"
    }.joined(separator: ", ")
  default:
    return ""
  }
}

/// The name of a type as it is written in its module, without the modules' names and without what
/// the runtime puts into the name of a private type, an address that differs in each process.
package func shortTypeName(_ type: Any.Type) -> String {
  let name = String(reflecting: type)
  guard name.contains(".") else { return name }
  var short = ""
  // Whether a type's name begins here: its first part is a module.
  var isStart = true
  var rest = name[...]
  while let character = rest.first {
    if character == "(", let end = endOfContext(rest) {
      rest = rest[end...]
    } else if character.isTypeNamePart {
      let word = rest.prefix { $0.isTypeNamePart }
      rest = rest[word.endIndex...]
      if isStart, rest.first == "." { rest = rest.dropFirst() } else { short += word }
      isStart = false
    } else {
      short.append(character)
      rest = rest.dropFirst()
      if character != "." { isStart = true }
    }
  }
  return short
}

/// The end of `(unknown context at $…).` or `(extension in …):` where a name begins with it.
private func endOfContext(_ name: Substring) -> Substring.Index? {
  guard name.hasPrefix("(unknown context at ") || name.hasPrefix("(extension in "),
    let parenthesis = name.firstIndex(of: ")")
  else { return nil }
  let next = name.index(after: parenthesis)
  guard next < name.endIndex, name[next] == "." || name[next] == ":" else { return next }
  return name.index(after: next)
}

extension Character {
  fileprivate var isTypeNamePart: Bool {
    self == "_" || self == "$" || isLetter || isNumber
  }
}

/// The dump of a value, for messages.
func dumped(_ value: some Any, indent: Int = 0) -> String {
  var text = ""
  customDump(value, to: &text, indent: indent)
  return text
}
