extension IdentifiedArray: RangeReplaceableCollection
where Element: Identifiable, ID == Element.ID {
  /// Puts elements where others stand.
  ///
  /// A new element is left out where one with its id stands outside the range, or came before
  /// it among the new ones.
  @inlinable
  public mutating func replaceSubrange(
    _ subrange: Range<Int>, with newElements: some Collection<Element>
  ) {
    if subrange.lowerBound == storage.count {
      append(contentsOf: newElements)
      return
    }
    let tail: ArraySlice<Element> = storage[subrange.upperBound...]
    let tailIDs = OrderedIDs(orderedIDs.storage[subrange.upperBound...])
    removeSubrange(subrange.lowerBound...)
    for element in newElements where !tailIDs.contains(element.id) {
      append(element)
    }
    for element in tail {
      append(element)
    }
  }
}
