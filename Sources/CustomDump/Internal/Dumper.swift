/// Writes values, one field a line.
struct Dumper {
  /// What is written so far.
  var text = ""

  let tracker: ObjectTracker

  /// Whether an object that knows two of its values shows the one before.
  var showsBefore = false

  /// How deep values are followed at most, so that a long chain of them, such as a linked list,
  /// does not use up the stack.
  static let maximumDepth = 256

  init(tracker: ObjectTracker) {
    self.tracker = tracker
  }

  /// Writes a value.
  ///
  /// - Parameters:
  ///   - label: What to put before it.
  ///   - indent: The spaces before the second line and those that follow it.
  ///   - isRoot: Whether an enum shows its type.
  ///   - maxDepth: How many levels are shown.
  mutating func dump(
    _ value: Any, label: DumpLabel, indent: Int, isRoot: Bool = true, maxDepth: Int
  ) {
    let maxDepth: Int = min(maxDepth, Self.maximumDepth)
    if let type = value as? Any.Type {
      text += label.text + typeName(type, abbreviatingGenerics: false) + ".self"
    } else if let value = value as? any CustomDumpStringConvertible {
      write(value.customDumpDescription, label: label, indent: indent)
    } else if let value = value as? any _CustomDiffObject {
      dumpDiffObject(value, label: label, indent: indent, isRoot: isRoot, maxDepth: maxDepth)
    } else if let value = value as? any CustomDumpRepresentable {
      dump(
        value.customDumpValue, label: label, indent: indent, isRoot: isRoot, maxDepth: maxDepth)
    } else if let value = value as? any StringProtocol {
      dumpText(value, label: label, indent: indent, maxDepth: maxDepth)
    } else if type(of: value) is AnyClass {
      dumpObject(value, label: label, indent: indent, maxDepth: maxDepth)
    } else {
      dumpValue(value, label: label, indent: indent, isRoot: isRoot, maxDepth: maxDepth)
    }
  }

  private mutating func dumpValue(
    _ value: Any, label: DumpLabel, indent: Int, isRoot: Bool, maxDepth: Int
  ) {
    let mirror = Mirror(customDumpReflecting: value)
    switch mirror.displayStyle {
    case .optional:
      if let wrapped = mirror.children.first {
        dump(wrapped.value, label: label, indent: indent, isRoot: isRoot, maxDepth: maxDepth)
      } else {
        text += label.text + "nil"
      }
    case .enum:
      text += label.text + (isRoot ? "\(typeName(mirror.subjectType))." : ".")
      guard let payload = mirror.children.first else {
        text += "\(value)"
        return
      }
      dump(
        mirror.associatedValues, between: "\(payload.label ?? "@unknown")(", and: ")",
        areFields: true, indent: indent, maxDepth: maxDepth)
    case .collection:
      text += label.text
      dump(mirror.elements, between: "[", and: "]", indent: indent, maxDepth: maxDepth)
    case .set:
      text += label.text
      // Below the last level only whether there is any element counts.
      let elements: [DumpChild] =
        maxDepth > 0 ? mirror.setElements(of: value, tracker: tracker) : mirror.elements
      dump(elements, between: "Set([", and: "])", indent: indent, maxDepth: maxDepth)
    case .dictionary:
      text += label.text
      let entries: [DumpChild] =
        maxDepth > 0 ? mirror.entries(of: value, tracker: tracker) : mirror.elements
      let opening: String = entries.isEmpty ? "[:" : "["
      dump(entries, between: opening, and: "]", indent: indent, maxDepth: maxDepth)
    case .tuple:
      text += label.text
      dump(
        mirror.fields, between: "(", and: ")", areFields: true, indent: indent, maxDepth: maxDepth)
    default:
      text += label.text
      dumpFields(of: mirror, value: value, prefix: "", indent: indent, maxDepth: maxDepth)
    }
  }

  private mutating func dumpFields(
    of mirror: Mirror, value: Any, prefix: String, indent: Int, maxDepth: Int
  ) {
    if mirror.isPlain {
      text += prefix + "\(value)"
    } else {
      dump(
        mirror.fields, between: "\(prefix)\(typeName(mirror.subjectType))(", and: ")",
        areFields: true, indent: indent, maxDepth: maxDepth)
    }
  }

  private mutating func dumpObject(
    _ value: Any, label: DumpLabel, indent: Int, maxDepth: Int
  ) {
    let mirror = Mirror(customDumpReflecting: value)
    let id = ObjectIdentifier(value as AnyObject)
    let name: String = typeName(mirror.subjectType)
    let number: Int = tracker.numbering.number(of: value, id: id, type: name)
    let prefix: String = number > 1 || tracker.numbersEachObject ? "#\(number) " : ""
    text += label.text
    if tracker.isVisited(id) {
      text += "\(prefix)\(name)(↩︎)"
      return
    }
    // What is cut off here may be shown in full later.
    if maxDepth > 0 { tracker.visit(id) }
    switch mirror.displayStyle {
    case .collection:
      dump(mirror.elements, between: "\(prefix)[", and: "]", indent: indent, maxDepth: maxDepth)
    case .dictionary:
      dump(
        mirror.entries(of: value, tracker: tracker), between: "\(prefix)[", and: "]",
        indent: indent, maxDepth: maxDepth)
    case .set:
      dump(
        mirror.setElements(of: value, tracker: tracker), between: "\(prefix)Set([", and: "])",
        indent: indent, maxDepth: maxDepth)
    default:
      dumpFields(of: mirror, value: value, prefix: prefix, indent: indent, maxDepth: maxDepth)
    }
  }

  private mutating func dumpDiffObject(
    _ value: any _CustomDiffObject, label: DumpLabel, indent: Int, isRoot: Bool, maxDepth: Int
  ) {
    let id: ObjectIdentifier = value._objectIdentifier
    let values: (before: Any, now: Any) = value._customDiffValues
    let current: Any = showsBefore ? values.before : values.now
    let name: String = typeName(type(of: current))
    let number: Int = tracker.numbering.number(of: value, id: id, type: name)
    let label: DumpLabel = label.numbered(number)
    if tracker.isVisited(id) {
      text += "\(label.text)\(name)(↩︎)"
      return
    }
    if maxDepth > 0 { tracker.visit(id) }
    dump(current, label: label, indent: indent, isRoot: isRoot, maxDepth: maxDepth)
  }

  private mutating func dumpText(
    _ value: any StringProtocol, label: DumpLabel, indent: Int, maxDepth: Int
  ) {
    text += label.text
    guard value.isMultiline else {
      text += value.quoted
      return
    }
    guard maxDepth > 0 else {
      text += "\"…\""
      return
    }
    let hashes = String(repeating: "#", count: value.hashCount(isMultiline: true))
    let indent: Int = indent + (label.isNamed ? 2 : 0)
    text += "\(hashes)\"\"\""
    for line in value.dumpLines {
      newLine(indent)
      text += line
    }
    newLine(indent)
    text += "\"\"\"\(hashes)"
  }

  /// Writes a ready text, its lines below one another.
  private mutating func write(_ description: String, label: DumpLabel, indent: Int) {
    text += label.text
    guard description.isMultiline else {
      text += description
      return
    }
    for (offset, line) in description.dumpLines.enumerated() {
      if offset > 0 { newLine(indent) }
      text += line
    }
  }

  private mutating func dump(
    _ children: [DumpChild], between opening: String, and closing: String,
    areFields: Bool = false, indent: Int, maxDepth: Int
  ) {
    text += opening
    defer { text += closing }
    guard !children.isEmpty else { return }
    if areFields, children.isSingleValue {
      let child: DumpChild = children[0]
      dump(
        child.value, label: DumpLabel(name: child.name), indent: indent, isRoot: false,
        maxDepth: maxDepth - 1)
      return
    }
    guard maxDepth > 0 else {
      text += "…"
      return
    }
    for (offset, child) in children.enumerated() {
      newLine(indent + 2)
      dump(
        child.value, label: DumpLabel(name: child.name), indent: indent + 2, isRoot: false,
        maxDepth: maxDepth - 1)
      if offset != children.count - 1 { text += "," }
    }
    newLine(indent)
  }

  private mutating func newLine(_ indent: Int) {
    text += "\n"
    text += String(repeating: " ", count: indent)
  }
}
