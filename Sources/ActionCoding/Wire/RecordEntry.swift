#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Where an element of a set, or a key of a dictionary, lies in a record.
///
/// Sets and dictionaries are written in the order of the bytes of their elements and keys, so that
/// equal ones give equal bytes, whatever order they have in memory.
@frozen
@usableFromInline
struct RecordEntry {
  @usableFromInline let start: Int
  @usableFromInline let end: Int

  @inlinable
  init(start: Int, end: Int) {
    self.start = start
    self.end = end
  }
}

extension RecordWriter {
  /// Writes what was written of elements or keys once more, in the order of their bytes.
  ///
  /// - Parameters:
  ///   - entries: Where they lie, one behind the other; nothing else was written since.
  ///   - write: Writes what follows one of them, whose place among `entries` it is given.
  @inlinable
  mutating func putInOrder(
    _ entries: [RecordEntry],
    following write: (inout RecordWriter, Int) throws(RecordOverflow) -> Void =
      { (_, _) throws(RecordOverflow) in }
  ) throws(RecordOverflow) {
    guard let first = entries.first?.start else { return }
    let (bytes, order) = takeBack(entries, from: first)
    for index in order {
      let entry = entries[index]
      try bytes.span.bytes.withUnsafeBytes { (raw) throws(RecordOverflow) in
        try put(
          raw: UnsafeRawBufferPointer(rebasing: raw[(entry.start - first)..<(entry.end - first)]))
      }
      try write(&self, index)
    }
  }

  /// Takes back what was written of entries.
  ///
  /// - Returns: Their bytes, and the places of the entries in the order of these.
  @usableFromInline
  mutating func takeBack(
    _ entries: [RecordEntry], from first: Int
  ) -> (bytes: [UInt8], order: [Int]) {
    let memory = start
    let order = entries.indices.sorted { left, right in
      compareBytes(memory, entries[left], entries[right]) < 0
    }
    let bytes = [UInt8](UnsafeRawBufferPointer(start: memory + first, count: count - first))
    cursor = memory + first
    return (bytes, order)
  }

  /// Fills up a collection whose elements took fewer bytes than there are elements, so that no
  /// count is ever larger than the bytes behind it.
  @inlinable
  mutating func pad(_ count: Int, from: Int) throws(RecordOverflow) {
    var missing = from + count - self.count
    while missing > 0 {
      try put(byte: 0)
      missing -= 1
    }
  }
}

extension RecordReader {
  /// Passes over what ``RecordWriter/pad(_:from:)`` wrote.
  @inlinable
  mutating func skipPadding(_ count: Int, from: Int) throws(RecordDecodingError) {
    let missing = from + count - offset
    if missing > 0 { try skip(missing) }
  }

  /// How many elements to make room for at once: a count is a claim until its elements are read, so
  /// no more than 64 KiB of them.
  @inlinable
  func capacity(for count: Int, stride: Int) -> Int {
    min(count, 65_536 / max(stride, 1))
  }

  @usableFromInline
  func isAscending(_ last: RecordEntry?, _ next: RecordEntry) -> Bool {
    guard let last else { return true }
    return compareBytes(start, last, next) < 0
  }

  @usableFromInline
  func unordered() -> RecordDecodingError {
    error("The elements of a set, or the keys of a dictionary, are out of order or repeated.")
  }
}

/// Negative, zero or positive as the first bytes come before, are equal to, or come after the second.
private func compareBytes(
  _ memory: UnsafeRawPointer, _ left: RecordEntry, _ right: RecordEntry
) -> Int {
  let (leftCount, rightCount) = (left.end - left.start, right.end - right.start)
  let order = memcmp(memory + left.start, memory + right.start, min(leftCount, rightCount))
  return order != 0 ? Int(order) : leftCount - rightCount
}
