extension RecordValue {
  /// The value at a path.
  ///
  /// Throws ``RecordPathError``, which says which step leads nowhere and what there is instead.
  public func value(at path: RecordPath) throws(RecordPathError) -> RecordValue {
    var value = self
    for (index, component) in path.components.enumerated() {
      guard let next = value.child(component) else {
        throw value.missing(
          component, path: path, walked: RecordPath(Array(path.components[..<index])))
      }
      value = next
    }
    return value
  }

  /// What the value is made of, each with the step that leads to it.
  ///
  /// An enum has one child: what comes with its case. Where that is a single value without a label,
  /// it is that value, else a structure of the labels.
  public var children: [(component: RecordPath.Component, value: RecordValue)] {
    switch self {
    case .some(let wrapped): wrapped.children
    case .array(let elements), .set(let elements):
      elements.enumerated().map { (.index($0.offset), $0.element) }
    case .dictionary(let entries): entries.map { (Self.component(of: $0.key), $0.value) }
    case .structure(_, let fields): fields.map { (.name($0.name), $0.value) }
    case .enumeration(_, let label, let fields):
      fields.isEmpty ? [] : [(.name(label), Self.content(fields))]
    default: []
    }
  }

  private static func content(_ fields: [Field]) -> RecordValue {
    if fields.count == 1, fields[0].name == "_0" { return fields[0].value }
    return .structure(name: "", fields: fields)
  }

  static func component(of key: RecordValue) -> RecordPath.Component {
    switch key {
    case .int(let number): .index(Int(number))
    case .uint(let number): Int(exactly: number).map { .index($0) } ?? .key("\(number)")
    case .string(let text): .key(text)
    default: .key(key.text())
    }
  }

  private func child(_ component: RecordPath.Component) -> RecordValue? {
    switch (self, component) {
    case (.some(let wrapped), _): wrapped.child(component)
    case (.structure(_, let fields), .name(let name)): fields.first { $0.name == name }?.value
    case (.structure(_, let fields), .key(let name)): fields.first { $0.name == name }?.value
    case (.enumeration(_, let label, let fields), .name(let name)):
      name == label ? Self.content(fields) : fields.first { $0.name == name }?.value
    case (.array(let elements), .index(let index)), (.set(let elements), .index(let index)):
      elements.indices.contains(index) ? elements[index] : nil
    case (.dictionary(let entries), .index), (.dictionary(let entries), .key):
      entries.first { Self.component(of: $0.key) == component }?.value
    default: nil
    }
  }

  private func missing(
    _ component: RecordPath.Component, path: RecordPath, walked: RecordPath
  ) -> RecordPathError {
    let place = walked.components.isEmpty ? "The value" : "'\(walked)'"
    let step = "\(RecordPath([component]))"
    let reason: String
    switch self {
    case .some(let wrapped):
      return wrapped.missing(component, path: path, walked: walked)
    case .structure(_, let fields):
      reason = "\(place) has no '\(step)'. It has: \(Self.list(fields.map(\.name)))."
    case .enumeration(_, let label, let fields):
      let names = fields.map(\.name).filter { $0 != "_0" }
      let content = names.isEmpty ? "" : " with: \(Self.list(names))"
      reason = "\(place) is the case '\(label)' there\(content), and has no '\(step)'."
    case .array(let elements), .set(let elements):
      let range = elements.isEmpty ? "none" : "[0] to [\(elements.count - 1)]"
      reason = "\(place) has \(elements.count) elements, \(range), and no '\(step)'."
    case .dictionary(let entries):
      let keys = entries.map { "\(RecordPath([Self.component(of: $0.key)]))" }
      reason = "\(place) has no key '\(step)'. It has: \(Self.list(keys))."
    case .null: reason = "\(place) is nil there, and has no '\(step)'."
    case .opaque(_, let why): reason = "\(place) is not in the record: \(why)"
    default: reason = "\(place) is \(kindDescription), and has no '\(step)'."
    }
    return RecordPathError("The path '\(path)' does not exist. \(reason)")
  }

  /// The names, the first 20 of them.
  private static func list(_ names: [String]) -> String {
    guard !names.isEmpty else { return "nothing" }
    let shown = names.prefix(20).joined(separator: ", ")
    return names.count > 20 ? "\(shown) and \(names.count - 20) more" : shown
  }
}
