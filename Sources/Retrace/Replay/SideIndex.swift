internal import ActionLog

/// States of one stream that an earlier replay has left beside the log.
///
/// Nothing in it is believed that does not fit: a file of another log, another build, or with damage
/// counts for none, and a state that can't be read is passed over.
final class SideIndex {
  private let file: any OpenFile
  /// In the order of the actions.
  let entries: [SideIndexFile.Entry]
  /// The log's last record when it was written.
  let lastSequence: UInt64
  /// How many actions lie between two states, as a rule.
  let spacing: Int

  /// Opens what is there for a stream; `nil` where there is nothing that fits.
  ///
  /// - Parameters:
  ///   - identity: What the file has to begin with.
  ///   - lastSequence: The last record of the run: an index of a longer one is of another log.
  init?(
    at path: String, identity: [UInt8], lastSequence: UInt64,
    fileSystem: any FileSystem = .real
  ) {
    guard let file = try? fileSystem.open(path, .read) else { return nil }
    guard let (entries, sequence) = try? Self.read(file, identity, lastSequence) else {
      file.close()
      return nil
    }
    self.file = file
    self.entries = entries
    self.lastSequence = sequence
    let span = (entries.last?.number ?? 0) - (entries.first?.number ?? 0)
    self.spacing = entries.count > 1 ? max(1, span / (entries.count - 1)) : .max
  }

  deinit { self.file.close() }

  /// Reads the table; `nil` where something is not as it is written.
  private static func read(
    _ file: any OpenFile, _ identity: [UInt8], _ lastSequence: UInt64
  ) throws(FileError) -> (entries: [SideIndexFile.Entry], lastSequence: UInt64)? {
    let size = try file.size()
    let head = SideIndexFile.headerSize + identity.count
    guard size >= UInt64(head + SideIndexFile.endSize) else { return nil }
    var expected = SideIndexFile.magic
    expected.put(little: SideIndexFile.version)
    expected.put(little: UInt32(identity.count))
    guard try file.readBytes(head, at: 0) == expected + identity else { return nil }

    let end = size - UInt64(SideIndexFile.endSize)
    let last = try file.readBytes(SideIndexFile.endSize, at: end)
    guard last.count == SideIndexFile.endSize, Array(last.suffix(8)) == SideIndexFile.magic else {
      return nil
    }
    let (offset, count, sequence, sum) = last.withUnsafeBytes { bytes in
      (
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)),
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self)),
        UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 28, as: UInt32.self))
      )
    }
    guard sequence <= lastSequence, count <= UInt64(SideIndexFile.countLimit),
      offset >= UInt64(head), offset <= end,
      end - offset == count * UInt64(SideIndexFile.entrySize)
    else { return nil }
    let table = try file.readBytes(Int(end - offset), at: offset)
    guard table.count == Int(end - offset), PackedBytes.sum(table) == sum else { return nil }
    let entries = table.withUnsafeBytes { bytes in
      (0..<Int(count)).map { SideIndexFile.Entry(bytes, at: $0 * SideIndexFile.entrySize) }
    }
    for (before, after) in zip(entries, entries.dropFirst()) where before.number >= after.number {
      return nil
    }
    return (entries, sequence)
  }

  /// The place in `entries` of the last state at or before an action; `nil` where there is none.
  func index(upTo number: Int) -> Int? {
    var low = 0
    var high = self.entries.count
    while low < high {
      let middle = (low + high) / 2
      if self.entries[middle].number <= number { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? nil : low - 1
  }

  /// The bytes of a state; `nil` where they can't be read, or are not what was written.
  func state(_ entry: SideIndexFile.Entry) -> [UInt8]? {
    // The checksum stands behind the state.
    let (stored, size) = (Int(entry.storedSize), Int(entry.size))
    guard stored > 0, stored <= size, size <= SideIndexFile.stateLimit,
      let bytes = try? self.file.readBytes(stored + 4, at: entry.offset), bytes.count == stored + 4
    else { return nil }
    let sum = bytes.withUnsafeBytes {
      UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: stored, as: UInt32.self))
    }
    let packed = Array(bytes[..<stored])
    guard PackedBytes.sum(packed) == sum else { return nil }
    return stored == size ? packed : PackedBytes.unpack(packed, size: size)
  }
}
