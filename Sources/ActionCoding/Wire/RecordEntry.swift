#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Where an element of a set, or a key and its value, lies in a record.
///
/// Sets and dictionaries are written in the order of the bytes of their elements and keys, so that
/// equal ones give equal bytes, whatever order they have in memory.
@frozen
@usableFromInline
struct RecordEntry {
  @usableFromInline let start: Int
  @usableFromInline let keyEnd: Int
  @usableFromInline let end: Int

  @inlinable
  init(start: Int, keyEnd: Int, end: Int) {
    self.start = start
    self.keyEnd = keyEnd
    self.end = end
  }
}

/// Where the key of an entry of a dictionary lies, and which entry that is.
@frozen
@usableFromInline
struct RecordKey {
  @usableFromInline var start: Int
  @usableFromInline var end: Int
  @usableFromInline let index: Int

  @inlinable
  init(start: Int, end: Int, index: Int) {
    self.start = start
    self.end = end
    self.index = index
  }
}

extension RecordWriter {
  /// Takes back what was written of keys, and puts these into the order of their bytes.
  ///
  /// - Returns: The bytes, in which the keys lie then.
  @usableFromInline
  mutating func take(_ keys: inout [RecordKey], from first: Int) -> [UInt8] {
    let bytes = [UInt8](UnsafeRawBufferPointer(start: start + first, count: count - first))
    cursor = start + first
    for index in keys.indices {
      keys[index].start -= first
      keys[index].end -= first
    }
    bytes.withUnsafeBytes { bytes in
      guard let memory = bytes.baseAddress, keys.count > 1 else { return }
      keys.sort { left, right in
        compareBytes(
          memory + left.start, left.end - left.start,
          memory + right.start, right.end - right.start) < 0
      }
    }
    return bytes
  }

  /// Puts what was written of each entry into the order of the keys' bytes.
  @usableFromInline
  mutating func sort(_ entries: inout [RecordEntry]) {
    guard let first = entries.first, let last = entries.last, entries.count > 1 else { return }
    let memory = start
    entries.sort { left, right in
      compareBytes(
        memory + left.start, left.keyEnd - left.start,
        memory + right.start, right.keyEnd - right.start) < 0
    }
    let region = UnsafeRawBufferPointer(start: memory + first.start, count: last.end - first.start)
    let copy = [UInt8](region)
    copy.withUnsafeBytes { source in
      var target = memory + first.start
      for entry in entries {
        let part = UnsafeRawBufferPointer(
          rebasing: source[(entry.start - first.start)..<(entry.end - first.start)])
        if let address = part.baseAddress {
          target.copyMemory(from: address, byteCount: part.count)
          target += part.count
        }
      }
    }
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
    return compareBytes(
      start + last.start, last.keyEnd - last.start,
      start + next.start, next.keyEnd - next.start) < 0
  }

  @usableFromInline
  func unordered() -> RecordDecodingError {
    error("The elements of a set, or the keys of a dictionary, are out of order or repeated.")
  }
}

/// Negative, zero or positive as the first bytes come before, are equal to, or come after the second.
private func compareBytes(
  _ left: UnsafeRawPointer, _ leftCount: Int, _ right: UnsafeRawPointer, _ rightCount: Int
) -> Int {
  let order = memcmp(left, right, min(leftCount, rightCount))
  return order != 0 ? Int(order) : leftCount - rightCount
}
