/// A field, an element or an associated value, with the name that is shown before it.
struct DumpChild {
  var name: String?
  var value: Any
  /// The key, for an entry of a dictionary.
  var key: Any?
}

/// A collection whose order says nothing and differs from run to run.
private protocol Unordered {}
extension Dictionary: Unordered {}
extension Set: Unordered {}

extension Mirror {
  init(customDumpReflecting value: Any) {
    if let value = value as? any CustomDumpReflectable {
      self = value.customDumpMirror
    } else {
      self = Mirror(reflecting: value)
    }
  }

  /// Whether the value is shown by its description, as numbers and ranges are.
  var isPlain: Bool {
    displayStyle == nil && (children.isEmpty || !(subjectType is AnyClass))
  }

  /// The fields, those of superclasses first.
  var fields: [DumpChild] {
    var fields: [DumpChild] = superclassMirror?.fields ?? []
    for child in children {
      var name: String? = child.label
      if let label = name {
        // Storage that macros add, such as the registrar of an observable type.
        if label.hasPrefix("_$") { continue }
        // The elements of a tuple that have no name are called .0, .1, …
        if label.hasPrefix(".") { name = nil }
      }
      fields.append(DumpChild(name: name, value: child.value))
    }
    return fields
  }

  /// The elements of a collection, named by their position.
  var elements: [DumpChild] {
    children.enumerated().map { DumpChild(name: "[\($0.offset)]", value: $0.element.value) }
  }

  /// The elements of a set, by their dump where the set has no order of its own.
  func setElements(of value: Any, tracker: ObjectTracker) -> [DumpChild] {
    let elements: [DumpChild] = children.map { DumpChild(name: nil, value: $0.value) }
    guard value is any Unordered else { return elements }
    return elements.map { (text: hiddenDump($0.value, tracker: tracker), element: $0) }
      .sorted { $0.text < $1.text }
      .map(\.element)
  }

  /// The entries of a dictionary, named by their dumped key, and by that in order where the
  /// dictionary has no order of its own.
  func entries(of value: Any, tracker: ObjectTracker) -> [DumpChild] {
    var entries: [DumpChild] = []
    for child in children {
      let pair: [Any] = Mirror(reflecting: child.value).children.map(\.value)
      guard pair.count == 2 else {
        entries.append(DumpChild(name: child.label, value: child.value))
        continue
      }
      let name: String = hiddenDump(pair[0], tracker: tracker)
      entries.append(DumpChild(name: name, value: pair[1], key: pair[0]))
    }
    guard value is any Unordered else { return entries }
    return entries.sorted { ($0.name ?? "") < ($1.name ?? "") }
  }

  /// The associated values of an enum's case, this being the mirror of the enum.
  var associatedValues: [DumpChild] {
    guard let child = children.first else { return [] }
    let mirror = Mirror(customDumpReflecting: child.value)
    if mirror.displayStyle == .tuple { return mirror.fields }
    return [DumpChild(name: nil, value: child.value)]
  }
}

extension [DumpChild] {
  /// Whether this is one value that is shown on the line of what holds it.
  var isSingleValue: Bool {
    guard count == 1, var value = first?.value else { return false }
    while let representable = value as? any CustomDumpRepresentable {
      value = representable.customDumpValue
    }
    if let value = value as? any CustomDumpStringConvertible {
      return !value.customDumpDescription.isMultiline
    }
    if value is any _CustomDiffObject { return false }
    if let value = value as? any StringProtocol { return !value.isMultiline }
    return Mirror(customDumpReflecting: value).children.isEmpty
  }
}

private func hiddenDump(_ value: Any, tracker: ObjectTracker) -> String {
  var dumper = Dumper(tracker: tracker.copy())
  dumper.dump(value, label: .none, indent: 0, isRoot: false, maxDepth: .max)
  return dumper.text
}
