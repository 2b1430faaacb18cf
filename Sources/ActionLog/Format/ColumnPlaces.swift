/// Where each byte of each body stands in a block whose bodies are in columns.
///
/// The bodies are ordered by kind. For each kind come its columns, the first bytes of all its
/// bodies, then the second bytes, and so on, a body that is too short being left out; behind the
/// last column comes what is left of each body. Within all of these the order is that of the
/// records.
struct ColumnPlaces {
  private let columns: Int
  /// For each kind that occurs, where its next byte of each column is, and its next rest.
  private var next: [Int]
  /// The group of a kind, by kind.
  private var groups: [Int]

  /// Counts through the records. The sizes must be those of bodies that are there: their sum is
  /// the size of what is laid out.
  init(
    kinds: UnsafeBufferPointer<UInt8>, sizes: UnsafeBufferPointer<UInt32>, columns: Int
  ) {
    self.columns = columns
    let width = columns + 1
    var counts = [Int](repeating: 0, count: 256 * width)
    var isThere = [Bool](repeating: false, count: 256)
    for index in kinds.indices {
      let base = Int(kinds[index]) * width
      let size = Int(sizes[index])
      isThere[Int(kinds[index])] = true
      // Only how long the bodies are is counted; the columns' sizes follow from it.
      if size <= columns {
        counts[base + size] += 1
      } else {
        counts[base + columns] += 1
      }
    }
    groups = [Int](repeating: 0, count: 256)
    next = []
    var rests = [Int](repeating: 0, count: 256)
    for index in kinds.indices where Int(sizes[index]) > columns {
      rests[Int(kinds[index])] += Int(sizes[index]) - columns
    }
    var at = 0
    for kind in 0..<256 where isThere[kind] {
      groups[kind] = next.count
      // The bodies that have a byte in a column are those that are longer than its number.
      var longer = counts[kind * width + 1..<(kind + 1) * width].reduce(0, +)
      for column in 0..<columns {
        next.append(at)
        at += longer
        longer -= column + 1 < width ? counts[kind * width + column + 1] : 0
      }
      next.append(at)
      at += rests[kind]
    }
  }

  /// Calls `body` for each stretch of the next body of a kind: its offset in the body, its place,
  /// and its length.
  @inline(__always)
  mutating func visit(_ kind: UInt8, _ size: Int, _ body: (Int, Int, Int) -> Void) {
    let group = groups[Int(kind)]
    let short = min(size, columns)
    for column in 0..<short {
      body(column, next[group + column], 1)
      next[group + column] += 1
    }
    if size > columns {
      body(columns, next[group + columns], size - columns)
      next[group + columns] += size - columns
    }
  }
}
