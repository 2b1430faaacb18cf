/// A value of a dependency, in a box whose type follows from the dependency's key.
final class DependencyBox<Value: Sendable>: Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}

/// Boxes by the identity of their keys.
///
/// A list that is searched from the front: overrides are few, and comparing some addresses is
/// several times quicker than hashing one. Changed only while one owner holds it.
final class Overrides: @unchecked Sendable {
  private var ids: ContiguousArray<ObjectIdentifier>
  private var boxes: ContiguousArray<any AnyObject & Sendable>

  init(_ id: ObjectIdentifier, _ box: any AnyObject & Sendable) {
    ids = [id]
    boxes = [box]
  }

  private init(
    _ ids: ContiguousArray<ObjectIdentifier>, _ boxes: ContiguousArray<any AnyObject & Sendable>
  ) {
    self.ids = ids
    self.boxes = boxes
  }

  subscript(id: ObjectIdentifier) -> AnyObject? {
    for index in ids.indices where ids[index] == id { return boxes[index] }
    return nil
  }

  /// Sets a value in place.
  func set(_ id: ObjectIdentifier, _ box: any AnyObject & Sendable) {
    if let index = ids.firstIndex(of: id) {
      boxes[index] = box
    } else {
      ids.append(id)
      boxes.append(box)
    }
  }

  /// A copy with one more value.
  func setting(_ id: ObjectIdentifier, _ box: any AnyObject & Sendable) -> Overrides {
    let copy = Overrides(ids, boxes)
    copy.set(id, box)
    return copy
  }

  /// A copy with all values of another on top.
  func merging(_ other: Overrides) -> Overrides {
    let copy = Overrides(ids, boxes)
    for index in other.ids.indices { copy.set(other.ids[index], other.boxes[index]) }
    return copy
  }
}
