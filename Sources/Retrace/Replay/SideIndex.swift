internal import ActionLog

/// States of one stream that an earlier replay has left beside the log.
///
/// Nothing in it is believed that does not fit: a file of another log, another build, or with damage
/// counts for none, and a state that can't be read is passed over. Opening it reads the end of the
/// file alone, and a jump a page of its table at most, so that neither takes longer, nor more memory,
/// where there are more states.
final class SideIndex {
  private let file: any OpenFile
  /// How many states there are.
  let count: Int
  /// The log's last record when it was written.
  let lastSequence: UInt64
  private let tableOffset: UInt64
  /// The number of the first state of each page.
  private let directory: [Int]
  /// The end of the file, as it was read when it was opened, and where it begins.
  private let end: (bytes: [UInt8], offset: UInt64)
  /// The page that was looked at last; no bytes where it is damaged.
  private var page: (place: Int, bytes: ArraySlice<UInt8>)?

  /// Opens what is there for a stream; `nil` where there is nothing that fits.
  ///
  /// - Parameters:
  ///   - identity: What the file has to be of.
  ///   - lastSequence: The last record of the run: an index of a longer one is of another log.
  ///   - readAtOnce: How much of the end is read at first.
  init?(
    at path: String, identity: [UInt8], lastSequence: UInt64,
    fileSystem: any FileSystem = .real, readAtOnce: Int = SideIndexFile.readAtOnce
  ) {
    guard let file = try? fileSystem.open(path, .read) else { return nil }
    guard let read = try? Self.read(file, identity, atOnce: readAtOnce),
      read.end.lastSequence <= lastSequence
    else {
      file.close()
      return nil
    }
    self.file = file
    self.count = Int(read.end.count)
    self.lastSequence = read.end.lastSequence
    self.tableOffset = read.end.tableOffset
    self.directory = read.directory
    self.end = (read.bytes, read.offset)
  }

  deinit { self.file.close() }

  /// Reads the end; `nil` where something is not as it is written.
  private static func read(
    _ file: any OpenFile, _ identity: [UInt8], atOnce: Int
  ) throws(FileError) -> (
    end: SideIndexFile.End, directory: [Int], bytes: [UInt8], offset: UInt64
  )? {
    let size = try file.size()
    let least = UInt64(SideIndexFile.headerSize + identity.count + SideIndexFile.endSize)
    guard size >= least else { return nil }
    var offset = size - min(size, UInt64(max(atOnce, SideIndexFile.endSize)))
    var bytes = try file.readBytes(Int(size - offset), at: offset)
    guard bytes.count == Int(size - offset),
      let end = bytes.withUnsafeBytes({
        SideIndexFile.End(UnsafeRawBufferPointer(rebasing: $0.suffix(SideIndexFile.endSize)))
      }),
      end.count > 0, end.count <= UInt64(SideIndexFile.countLimit),
      Int(end.identitySize) == identity.count
    else { return nil }
    let tail = SideIndexFile.tailSize(Int(end.count), identity: identity.count)
    let table = SideIndexFile.tableSize(Int(end.count))
    guard end.tableOffset >= UInt64(SideIndexFile.headerSize), end.tableOffset <= size,
      size - end.tableOffset == UInt64(table + tail)
    else { return nil }
    if tail > bytes.count {
      offset = size - UInt64(tail)
      bytes = try file.readBytes(tail, at: offset)
      guard bytes.count == tail else { return nil }
    }
    guard let directory = Self.directory(bytes[(bytes.count - tail)...], identity, end) else {
      return nil
    }
    return (end, directory, bytes, offset)
  }

  /// - Parameter tail: What stands behind the table.
  private static func directory(
    _ tail: ArraySlice<UInt8>, _ identity: [UInt8], _ end: SideIndexFile.End
  ) -> [Int]? {
    tail.withUnsafeBytes { tail in
      let summed = tail.count - SideIndexFile.endSize + SideIndexFile.summarySize
      guard tail.prefix(identity.count).elementsEqual(identity),
        PackedBytes.sum(UnsafeRawBufferPointer(rebasing: tail[..<summed])) == end.checksum
      else { return nil }
      let numbers = (0..<SideIndexFile.pageCount(Int(end.count))).map {
        Int(clamping: tail.little(at: identity.count + 8 * $0, as: UInt64.self))
      }
      for (before, after) in zip(numbers, numbers.dropFirst()) where before >= after { return nil }
      return numbers
    }
  }

  /// The entries of a page, one behind the other; none where it is damaged.
  private func entries(ofPage place: Int) -> ArraySlice<UInt8> {
    if let page, page.place == place { return page.bytes }
    let first = place * SideIndexFile.pageEntries
    let size = SideIndexFile.entrySize * min(SideIndexFile.pageEntries, self.count - first)
    let offset = self.tableOffset + UInt64(SideIndexFile.tableSize(first))
    var bytes: ArraySlice<UInt8> = []
    if offset >= self.end.offset {
      bytes = self.end.bytes[Int(offset - self.end.offset)...].prefix(size + 4)
    } else if let read = try? self.file.readBytes(size + 4, at: offset) {
      bytes = read[...]
    }
    let isWhole = bytes.withUnsafeBytes { bytes in
      bytes.count == size + 4
        && PackedBytes.sum(UnsafeRawBufferPointer(rebasing: bytes[..<size]))
          == bytes.little(at: size, as: UInt32.self)
    }
    self.page = (place, isWhole ? bytes.prefix(size) : [])
    return isWhole ? bytes.prefix(size) : []
  }

  /// What the table says of a state; `nil` where that is damaged.
  func entry(at place: Int) -> SideIndexFile.Entry? {
    let entries = self.entries(ofPage: place / SideIndexFile.pageEntries)
    let offset = place % SideIndexFile.pageEntries * SideIndexFile.entrySize
    guard offset < entries.count else { return nil }
    return entries.withUnsafeBytes { SideIndexFile.Entry($0, at: offset) }
  }

  /// The place of the last state at or before an action, among those that can be found; `nil` where
  /// there is none.
  func place(upTo number: Int) -> Int? {
    let page = Self.partition(self.directory.count) { self.directory[$0] <= number } - 1
    guard page >= 0 else { return nil }
    let first = page * SideIndexFile.pageEntries
    let before = self.entries(ofPage: page).withUnsafeBytes { entries in
      Self.partition(entries.count / SideIndexFile.entrySize) {
        SideIndexFile.Entry(entries, at: $0 * SideIndexFile.entrySize).number <= number
      }
    }
    return first + before > 0 ? first + before - 1 : nil
  }

  /// How many of `count` things in a row `isBefore` holds for.
  private static func partition(_ count: Int, _ isBefore: (Int) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if isBefore(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The bytes of a state; `nil` where they can't be read, or are not what was written.
  func state(_ entry: SideIndexFile.Entry) -> [UInt8]? {
    // The checksum stands behind the state.
    let (stored, size) = (Int(entry.storedSize), Int(entry.size))
    guard stored > 0, stored <= size, size <= SideIndexFile.stateLimit,
      let bytes = try? self.file.readBytes(stored + 4, at: entry.offset), bytes.count == stored + 4
    else { return nil }
    return bytes.withUnsafeBytes { bytes in
      let packed = UnsafeRawBufferPointer(rebasing: bytes[..<stored])
      guard PackedBytes.sum(packed) == bytes.little(at: stored, as: UInt32.self) else {
        return nil
      }
      return stored == size ? Array(packed) : PackedBytes.unpack(packed, size: size)
    }
  }
}
