/// A block's header, and where in the segment it stands.
struct BlockEntry: Hashable, Sendable {
  var offset: UInt64
  var header: BlockHeader
}

/// What a finished segment ends with: the headers of its blocks again, as an index.
struct Footer: Sendable {
  static let cleanFlag: UInt32 = 1

  var flags: UInt32
  var nextSequence: UInt64
  var entries: [BlockEntry]

  var isClean: Bool { flags & Self.cleanFlag != 0 }

  /// The footer and the trailer that points at it.
  func encoded(at offset: UInt64, seed: UInt32) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.put(Format.footerMagic)
    bytes.put(UInt32(0))
    bytes.put(UInt32(0))
    bytes.put(flags)
    bytes.put(UInt32(entries.count))
    bytes.put(UInt32(0))
    bytes.put(nextSequence)
    for entry in entries {
      bytes.put(entry.offset)
      entry.header.encode(into: &bytes, seed: seed)
    }
    let size = UInt32(bytes.count)
    bytes.set(size, at: 8)
    bytes.set(checksum(seed, bytes[8...]), at: 4)
    var trailer: [UInt8] = []
    trailer.put(offset)
    trailer.put(size)
    trailer.append(contentsOf: Format.endMagic)
    trailer.put(checksum(seed, trailer[...]))
    return bytes + trailer
  }

  /// Where the trailer at the end of a segment says that the footer is; nil when there is none.
  static func locate(
    trailer: UnsafeRawBufferPointer, fileSize: UInt64, seed: UInt32
  ) -> (offset: UInt64, size: Int)? {
    guard trailer.count == Format.trailerSize,
      trailer.part(12, 8).elementsEqual(Format.endMagic),
      checksum(seed, trailer.part(0, 20)) == trailer.number(UInt32.self, at: 20)
    else { return nil }
    let offset = trailer.number(UInt64.self, at: 0)
    let size = trailer.number(UInt32.self, at: 8)
    let end = fileSize - UInt64(Format.trailerSize)
    guard size >= UInt32(Format.footerHeaderSize), size <= UInt32(Format.maximumFooter),
      offset >= UInt64(Format.segmentStart), offset <= end, end - offset == UInt64(size)
    else { return nil }
    return (offset, Int(size))
  }

  /// Reads a whole footer; nil when anything in it is not as it must be.
  static func decode(_ bytes: UnsafeRawBufferPointer, seed: UInt32) -> Footer? {
    guard bytes.count >= Format.footerHeaderSize,
      bytes.number(UInt32.self, at: 0) == Format.footerMagic,
      bytes.number(UInt32.self, at: 8) == UInt32(bytes.count),
      checksum(seed, bytes.part(8, bytes.count - 8)) == bytes.number(UInt32.self, at: 4)
    else { return nil }
    let count = Int(bytes.number(UInt32.self, at: 16))
    guard count <= bytes.count / (8 + Format.blockHeaderSize) else { return nil }
    var entries: [BlockEntry] = []
    entries.reserveCapacity(count)
    var at = Format.footerHeaderSize
    for _ in 0..<count {
      guard bytes.count - at >= 8 + Format.blockHeaderSize else { return nil }
      let offset = bytes.number(UInt64.self, at: at)
      let rest = bytes.part(at + 8, bytes.count - at - 8)
      guard let header = BlockHeader.decode(rest, seed: seed) else { return nil }
      entries.append(BlockEntry(offset: offset, header: header))
      at += 8 + header.size
    }
    guard at == bytes.count else { return nil }
    return Footer(
      flags: bytes.number(UInt32.self, at: 12), nextSequence: bytes.number(UInt64.self, at: 24),
      entries: entries)
  }
}
