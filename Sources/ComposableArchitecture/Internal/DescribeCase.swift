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

/// The name of a type as it is written in its module, without the module's name.
package func shortTypeName(_ type: Any.Type) -> String {
  var name = String(reflecting: type)
  if let dot = name.firstIndex(of: "."), !name[..<dot].contains("<") {
    name = String(name[name.index(after: dot)...])
  }
  return name
}
