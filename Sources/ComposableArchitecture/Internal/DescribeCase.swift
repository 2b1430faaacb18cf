/// The name of a value's type and, for an enum, of its case, for messages to the developer: an
/// action is named without its payload, which may be large.
package func describeCase<Value>(_ value: Value) -> String {
  let type = shortTypeName(Value.self)
  let mirror = Mirror(reflecting: value)
  guard mirror.displayStyle == .enum else { return type }
  guard let child = mirror.children.first, let label = child.label else {
    return "\(type).\(value)"
  }
  let payload = Mirror(reflecting: child.value)
  if payload.displayStyle == .tuple {
    let labels = payload.children.map { field in
      guard let label = field.label, !label.hasPrefix(".") else { return "_:" }
      return "\(label):"
    }
    return "\(type).\(label)(\(labels.joined()))"
  }
  if payload.displayStyle == .enum { return "\(type).\(label)(.\(caseName(child.value)))" }
  return "\(type).\(label)(_:)"
}

private func caseName(_ value: Any) -> String {
  let mirror = Mirror(reflecting: value)
  guard let child = mirror.children.first, let label = child.label else { return "\(value)" }
  if Mirror(reflecting: child.value).displayStyle == .enum {
    return "\(label)(.\(caseName(child.value)))"
  }
  return "\(label)(_:)"
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
