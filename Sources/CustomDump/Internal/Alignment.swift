/// One step through two lists that are laid beside each other.
enum AlignmentRow: Equatable {
  /// The element at a position of the first list and that at one of the second.
  case both(Int, Int)
  case onlyFirst(Int)
  case onlySecond(Int)
}

/// Lists that differ in more elements than this are laid beside each other by their keys alone,
/// since the search for the shortest difference takes time and memory as the square of it.
let maximumAlignedCount = 2_000

/// Lays two lists beside each other, so that as many elements as possible have their like.
///
/// - Parameters:
///   - isAlike: Whether two elements belong together.
///   - isPair: Whether two elements that have no like are shown together, where they stand at
///     the same place.
///   - key: What tells an element from the others of its list, if there is any such thing.
func align<Element>(
  _ first: [Element], _ second: [Element],
  isAlike: (Element, Element) -> Bool,
  isPair: (Element, Element) -> Bool = { _, _ in false },
  key: (Element) -> AnyHashable? = { _ in nil }
) -> [AlignmentRow] {
  var start = 0
  while start < min(first.count, second.count), isAlike(first[start], second[start]) {
    start += 1
  }
  var firstEnd: Int = first.count
  var secondEnd: Int = second.count
  while firstEnd > start, secondEnd > start, isAlike(first[firstEnd - 1], second[secondEnd - 1]) {
    firstEnd -= 1
    secondEnd -= 1
  }
  var firstAlone = Set(start..<firstEnd)
  var secondAlone = Set(start..<secondEnd)
  if firstAlone.isEmpty || secondAlone.isEmpty {
    // All that differs is in one list.
  } else if firstAlone.count + secondAlone.count > maximumAlignedCount {
    let alike: [(Int, Int)] = alignByKey(
      (start..<firstEnd).map { ($0, key(first[$0])) },
      (start..<secondEnd).map { ($0, key(second[$0])) })
    for (i, j) in alike where isAlike(first[i], second[j]) {
      firstAlone.remove(i)
      secondAlone.remove(j)
    }
  } else {
    let difference = second[start..<secondEnd].difference(from: first[start..<firstEnd]) {
      isAlike($1, $0)
    }
    firstAlone = []
    secondAlone = []
    for change in difference {
      switch change {
      case .remove(let offset, _, _): firstAlone.insert(start + offset)
      case .insert(let offset, _, _): secondAlone.insert(start + offset)
      }
    }
  }

  var rows: [AlignmentRow] = []
  var i = 0
  var j = 0
  while i < first.count || j < second.count {
    if !firstAlone.contains(i), !secondAlone.contains(j) {
      rows.append(.both(i, j))
      i += 1
      j += 1
      continue
    }
    var removed: [Int] = []
    var added: [Int] = []
    while firstAlone.contains(i) {
      removed.append(i)
      i += 1
    }
    while secondAlone.contains(j) {
      added.append(j)
      j += 1
    }
    rows += pair(removed, added) { isPair(first[$0], second[$1]) }
  }
  return rows
}

/// Puts the elements of a gap together in order as far as they fit, then those left over.
private func pair(
  _ removed: [Int], _ added: [Int], isPair: (Int, Int) -> Bool
) -> [AlignmentRow] {
  var rows: [AlignmentRow] = []
  var removed: ArraySlice<Int> = removed[...]
  var added: ArraySlice<Int> = added[...]
  while let i = removed.first, let j = added.first, isPair(i, j) {
    rows.append(.both(i, j))
    removed = removed.dropFirst()
    added = added.dropFirst()
  }
  return rows + removed.map { .onlyFirst($0) } + added.map { .onlySecond($0) }
}

/// The longest list of positions in ascending order at which both lists have the same key.
///
/// It is empty where an element has no key, or two of a list have the same.
private func alignByKey(
  _ first: [(position: Int, key: AnyHashable?)], _ second: [(position: Int, key: AnyHashable?)]
) -> [(Int, Int)] {
  var secondPositions: [AnyHashable: Int] = [:]
  for (position, key) in second {
    guard let key, secondPositions.updateValue(position, forKey: key) == nil else { return [] }
  }
  var firstKeys: Set<AnyHashable> = []
  var alike: [(first: Int, second: Int)] = []
  for (position, key) in first {
    guard let key, firstKeys.insert(key).inserted else { return [] }
    if let other = secondPositions[key] { alike.append((position, other)) }
  }

  // Patience sorting: `ends[n]` ends the ascending run of n + 1 pairs that has the lowest end.
  var ends: [Int] = []
  var previous: [Int?] = []
  for (index, pair) in alike.enumerated() {
    var low = 0
    var high: Int = ends.count
    while low < high {
      let middle: Int = (low + high) / 2
      if alike[ends[middle]].second < pair.second { low = middle + 1 } else { high = middle }
    }
    previous.append(low > 0 ? ends[low - 1] : nil)
    if low == ends.count { ends.append(index) } else { ends[low] = index }
  }
  var result: [(Int, Int)] = []
  var next: Int? = ends.last
  while let index = next {
    result.append(alike[index])
    next = previous[index]
  }
  return result.reversed()
}
