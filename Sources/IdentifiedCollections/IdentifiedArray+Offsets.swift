public import struct Foundation.IndexSet

extension IdentifiedArray {
  /// Moves the elements at some offsets, keeping their order, to before the one at another.
  ///
  /// - Parameters:
  ///   - source: The offsets of the elements to move.
  ///   - destination: The offset, counted before anything is moved, of the element that they
  ///     shall stand before; `count` moves them to the end.
  public mutating func move(fromOffsets source: IndexSet, toOffset destination: Int) {
    var order: [Int] = Array(0..<destination).filter { !source.contains($0) }
    order += source
    order += (destination..<count).filter { !source.contains($0) }
    let elements: [Element] = storage
    let ids: [ID] = orderedIDs.storage
    storage = order.map { elements[$0] }
    orderedIDs.replaceAll(unchecked: order.map { ids[$0] })
  }

  /// Removes the elements at some offsets.
  public mutating func remove(atOffsets offsets: IndexSet) {
    var ids: [ID] = orderedIDs.storage
    for range in offsets.rangeView.reversed() {
      storage.removeSubrange(range)
      ids.removeSubrange(range)
    }
    orderedIDs.replaceAll(unchecked: ids)
  }
}
