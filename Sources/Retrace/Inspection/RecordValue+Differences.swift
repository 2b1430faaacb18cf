public import ActionCoding

/// A place at which two values differ.
public struct ValueDifference: Sendable {
  /// The way there from the root, as `cart.items[3].name`; empty for the root itself.
  public var path: String
  /// The first value there, `nil` where it has none.
  public var first: RecordValue?
  /// The second value there, `nil` where it has none.
  public var second: RecordValue?
}

extension ValueDifference {
  /// Whether the first value is known to be none, since it was redacted.
  var isOfRedacted: Bool {
    if case .opaque(_, RecordSchema.redactedReason)? = self.first { true } else { false }
  }
}

extension RecordValue {
  /// The innermost places at which another value differs from this one, in their order.
  ///
  /// Arrays are compared from both ends, so that one element put in or taken out is one difference;
  /// dictionaries by their keys; a struct of another type, or another case, differs as a whole.
  public func differences(from other: RecordValue) -> [ValueDifference] {
    var comparison = ValueComparison()
    comparison.compare(self, other, "")
    return comparison.found
  }
}

private struct ValueComparison {
  var found: [ValueDifference] = []

  mutating func compare(_ first: RecordValue, _ second: RecordValue, _ path: String) {
    switch (first, second) {
    case (.some(let first), .some(let second)):
      self.compare(first, second, path)
    case (.structure(let name, let fields), .structure(let otherName, let others))
    where name == otherName:
      self.compare(fields, others, path)
    case (
      .enumeration(let name, let label, let fields),
      .enumeration(let otherName, let otherLabel, let others)
    ) where name == otherName && label == otherLabel:
      self.compare(fields, others, joined(path, label))
    case (.array(let elements), .array(let others)):
      self.compare(elements, others, path)
    case (.set(let elements), .set(let others)):
      for element in elements where !others.contains(element) {
        self.add("\(path)[\(element.text(limit: 40))]", element, nil)
      }
      for element in others where !elements.contains(element) {
        self.add("\(path)[\(element.text(limit: 40))]", nil, element)
      }
    case (.dictionary(let entries), .dictionary(let others)):
      self.compare(entries, others, path)
    default:
      if first != second { self.add(path, first, second) }
    }
  }

  private mutating func compare(
    _ fields: [RecordValue.Field], _ others: [RecordValue.Field], _ path: String
  ) {
    for field in fields {
      let place = joined(path, field.name)
      if let other = others.first(where: { $0.name == field.name }) {
        self.compare(field.value, other.value, place)
      } else {
        self.add(place, field.value, nil)
      }
    }
    for other in others where !fields.contains(where: { $0.name == other.name }) {
      self.add(joined(path, other.name), nil, other.value)
    }
  }

  private mutating func compare(
    _ elements: [RecordValue], _ others: [RecordValue], _ path: String
  ) {
    guard elements.count != others.count else {
      for index in elements.indices {
        self.compare(elements[index], others[index], "\(path)[\(index)]")
      }
      return
    }
    let shorter = min(elements.count, others.count)
    var start = 0
    while start < shorter, elements[start] == others[start] { start += 1 }
    var end = 0
    while end < shorter - start,
      elements[elements.count - 1 - end] == others[others.count - 1 - end]
    {
      end += 1
    }
    let common = shorter - end
    for index in start..<common {
      self.compare(elements[index], others[index], "\(path)[\(index)]")
    }
    for index in common..<(elements.count - end) {
      self.add("\(path)[\(index)]", elements[index], nil)
    }
    for index in common..<(others.count - end) {
      self.add("\(path)[\(index)]", nil, others[index])
    }
  }

  private mutating func compare(
    _ entries: [RecordValue.Entry], _ others: [RecordValue.Entry], _ path: String
  ) {
    for entry in entries {
      let place = "\(path)[\(entry.key.text(limit: 40))]"
      if let other = others.first(where: { $0.key == entry.key }) {
        self.compare(entry.value, other.value, place)
      } else {
        self.add(place, entry.value, nil)
      }
    }
    for other in others where !entries.contains(where: { $0.key == other.key }) {
      self.add("\(path)[\(other.key.text(limit: 40))]", nil, other.value)
    }
  }

  private mutating func add(_ path: String, _ first: RecordValue?, _ second: RecordValue?) {
    self.found.append(ValueDifference(path: path, first: first, second: second))
  }
}

private func joined(_ path: String, _ name: String) -> String {
  path.isEmpty ? name : "\(path).\(name)"
}
