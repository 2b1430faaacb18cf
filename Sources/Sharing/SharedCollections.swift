public import IdentifiedCollections

extension RangeReplaceableCollection {
  /// The elements of a shared array, each of them shared.
  ///
  ///     for todo in Array($todos) { todo.isDone.withLock { $0 = true } }
  public init<ID, Value>(
    _ elements: Shared<IdentifiedArray<ID, Value>>
  ) where Element == Shared<Value> {
    self.init(
      elements.wrappedValue.ids.compactMap { id -> Shared<Value>? in Shared(elements[id: id]) })
  }

  /// The elements of a shared array, each of them a shared value to be read.
  public init<ID, Value>(
    _ elements: SharedReader<IdentifiedArray<ID, Value>>
  ) where Element == SharedReader<Value> {
    self.init(
      elements.wrappedValue.ids.compactMap { id -> SharedReader<Value>? in
        SharedReader(elements[id: id])
      })
  }
}
