/// A value of a dependency, in a box whose type follows from the dependency's key.
final class DependencyBox<Value: Sendable>: Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}

/// Boxes by the identity of their keys.
///
/// A list that is searched from the front: overrides are few, and comparing some addresses is
/// several times quicker than hashing one. It never changes, so that reading it takes no check of
/// exclusive access.
final class Overrides: Sendable {
  private struct Entry: Sendable {
    let id: ObjectIdentifier
    var box: any AnyObject & Sendable
  }

  private let entries: ContiguousArray<Entry>

  init(_ id: ObjectIdentifier, _ box: any AnyObject & Sendable) {
    entries = [Entry(id: id, box: box)]
  }

  private init(_ entries: ContiguousArray<Entry>) {
    self.entries = entries
  }

  subscript(id: ObjectIdentifier) -> AnyObject? {
    for entry in entries where entry.id == id { return entry.box }
    return nil
  }

  /// A copy with one more value.
  func setting(_ id: ObjectIdentifier, _ box: any AnyObject & Sendable) -> Overrides {
    var entries = entries
    Self.set(id, box, in: &entries)
    return Overrides(entries)
  }

  /// A copy with all values of another on top.
  func merging(_ other: Overrides) -> Overrides {
    var entries = entries
    for entry in other.entries { Self.set(entry.id, entry.box, in: &entries) }
    return Overrides(entries)
  }

  private static func set(
    _ id: ObjectIdentifier, _ box: any AnyObject & Sendable,
    in entries: inout ContiguousArray<Entry>
  ) {
    if let index = entries.firstIndex(where: { $0.id == id }) {
      entries[index].box = box
    } else {
      entries.append(Entry(id: id, box: box))
    }
  }
}
