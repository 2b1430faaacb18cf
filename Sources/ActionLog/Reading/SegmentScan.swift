internal import CActionLog

/// What a segment holds, found by its footer or by looking for blocks from its start.
struct SegmentScan: Sendable {
  /// A stretch of a segment that is not what was written.
  struct Damage: Hashable, Sendable {
    var offset: UInt64
    var length: UInt64
    var message: String
    /// Behind the last block that can be read, where a kill or a loss of power leaves such.
    var isAtEnd = false
    /// What it costs; lost records are told by the gap in the numbers.
    var effect: LogDamage.Effect = .none
  }

  let name: String
  let header: SegmentHeader
  var entries: [BlockEntry] = []
  var damage: [Damage] = []
  var fileSize: UInt64
  /// Where the next block will be, in a segment without a footer.
  var end = UInt64(Format.segmentStart)
  var hasFooter = false
  var isClean = false
  /// Where the trailer says that the footer is, when that one can't be read.
  private var footerOffset: UInt64?

  var seed: UInt32 { ActionLog.seed(of: header.salt) }
  var records: ArraySlice<BlockEntry> {
    let first = entries.firstIndex { !$0.header.isPreamble } ?? entries.endIndex
    return entries[first...]
  }
  /// Every record up to this one was durable when the last block was written.
  var durable: UInt64 {
    let marks = entries.last?.header.durable ?? 0
    return max(marks, header.durable < header.firstSequence ? header.durable : 0)
  }
  /// The number after the last record's.
  var nextSequence: UInt64 { entries.last?.header.endSequence ?? header.firstSequence }

  enum Outcome {
    case segment(SegmentScan)
    case newer(String)
    case damagedHeader
    /// Nothing in it yet.
    case unused
  }

  static func scan(
    _ file: any OpenFile, name: String, ignoringFooter: Bool = false
  ) throws(FileError) -> Outcome {
    let size = try file.size()
    let bytes = try file.readBytes(Format.segmentStart, at: 0)
    let finding = bytes.withUnsafeBytes { SegmentHeader.find(in: $0) }
    let header: SegmentHeader
    let isWhole: Bool
    switch finding {
    case .unused, .letGo: return .unused
    case .newer(let what): return .newer(what)
    case .damaged: return .damagedHeader
    case .header(let found, let whole): (header, isWhole) = (found, whole)
    }
    var scan = SegmentScan(name: name, header: header, fileSize: size)
    if !isWhole {
      scan.damage.append(
        Damage(
          offset: 0, length: UInt64(Format.segmentStart),
          message: "one of the two copies of the header is damaged"))
    }
    if FileName.segmentNumber(name) != header.firstSequence {
      scan.damage.append(
        Damage(
          offset: 0, length: 0,
          message: "its name does not say its first sequence number, \(header.firstSequence)"))
    }
    if !ignoringFooter, let footer = try scan.readFooter(file) {
      scan.entries = footer.entries
      scan.hasFooter = true
      scan.isClean = footer.isClean
      scan.end = size
    } else {
      try scan.findBlocks(file)
    }
    return .segment(scan)
  }

  /// Takes a torn end for a loss: the run was closed, and closing writes an index.
  ///
  /// Returns whether it has such an end.
  mutating func loseEnd() -> Bool {
    if hasFooter { return false }
    if let last = damage.indices.last, damage[last].isAtEnd, damage[last].effect == .tornEnd {
      damage[last].effect = .loss
      return true
    }
    if !records.isEmpty { return false }
    damage.append(
      Damage(
        offset: fileSize, length: 0, message: "the file ends before its first record",
        isAtEnd: true, effect: .loss))
    return true
  }

  // MARK: Footer

  private mutating func readFooter(_ file: any OpenFile) throws(FileError) -> Footer? {
    let size = fileSize
    guard size >= UInt64(Format.segmentStart + Format.footerHeaderSize + Format.trailerSize) else {
      return nil
    }
    let trailer = try file.readBytes(
      Format.trailerSize, at: size - UInt64(Format.trailerSize))
    let seed = seed
    let place = trailer.withUnsafeBytes {
      Footer.locate(trailer: $0, fileSize: size, seed: seed)
    }
    guard let place else { return nil }
    footerOffset = place.offset
    let bytes = try file.readBytes(place.size, at: place.offset)
    guard bytes.count == place.size,
      let footer = bytes.withUnsafeBytes({ Footer.decode($0, seed: seed) }),
      isInOrder(footer.entries, end: place.offset)
    else { return nil }
    return footer
  }

  /// Whether blocks follow each other without a gap, in place and in number.
  private func isInOrder(_ entries: [BlockEntry], end: UInt64) -> Bool {
    var offset = UInt64(Format.segmentStart)
    var next = header.firstSequence
    var isBehindPreamble = false
    for entry in entries {
      if entry.header.isPreamble {
        if isBehindPreamble { return false }
      } else {
        isBehindPreamble = true
      }
      guard entry.offset == offset, entry.header.firstSequence == next else { return false }
      offset += UInt64(entry.header.size) + UInt64(entry.header.storedSize)
      next = entry.header.endSequence
    }
    return offset == end
  }

  // MARK: Looking for blocks

  /// Goes on looking for blocks from `end`.
  mutating func findBlocks(_ file: any OpenFile) throws(FileError) {
    // A page at a time: of a whole block only its header is looked at.
    var window = FileWindow(file, leastRead: 4 << 10)
    var at = Int(end)
    let size = Int(fileSize)
    while at < size {
      if let header = try readHeader(&window, at, size), accepts(header),
        at + header.size + Int(header.storedSize) <= size
      {
        entries.append(BlockEntry(offset: UInt64(at), header: header))
        at += header.size + Int(header.storedSize)
        end = UInt64(at)
        continue
      }
      let isIndex = try isFooter(&window, at, size)
      if isIndex || UInt64(at) == footerOffset {
        damage.append(
          Damage(
            offset: UInt64(at), length: UInt64(size - at),
            message: "the index at the end is damaged; the blocks were found without it",
            isAtEnd: true))
        break
      }
      guard let next = try findNext(&window, after: at, size: size) else {
        damage.append(
          Damage(
            offset: UInt64(at), length: UInt64(size - at),
            message: "the last \(size - at) bytes are no block", isAtEnd: true, effect: .tornEnd))
        break
      }
      damage.append(
        Damage(
          offset: UInt64(at), length: UInt64(next - at),
          message: "\(next - at) bytes at offset \(at) are no block"))
      at = next
    }
  }

  private func readHeader(
    _ window: inout FileWindow, _ at: Int, _ size: Int
  ) throws(FileError) -> BlockHeader? {
    guard try window.load(at, Format.blockHeaderSize) == Format.blockHeaderSize else { return nil }
    let count = window.with(at, Format.blockHeaderSize) { Int($0.number(UInt16.self, at: 8)) }
    let maximum = Format.blockHeaderSize + Format.blockStreamSize * Format.maximumBlockStreams
    guard count >= Format.blockHeaderSize, count <= maximum,
      try window.load(at, count) == count
    else { return nil }
    let seed = seed
    return window.with(at, count) { BlockHeader.decode($0, seed: seed) }
  }

  /// Whether a block's number can follow those found so far.
  private func accepts(_ block: BlockHeader) -> Bool {
    if block.isPreamble { return block.firstSequence == header.firstSequence && records.isEmpty }
    return block.firstSequence >= nextSequence
  }

  private func isFooter(
    _ window: inout FileWindow, _ at: Int, _ size: Int
  ) throws(FileError) -> Bool {
    guard try window.load(at, 4) == 4 else { return false }
    return window.with(at, 4) { $0.number(UInt32.self, at: 0) } == Format.footerMagic
  }

  /// The place of the next block's header, wherever it is.
  private func findNext(
    _ window: inout FileWindow, after start: Int, size: Int
  ) throws(FileError) -> Int? {
    var at = start + 1
    while at + Format.blockHeaderSize <= size {
      let count = try window.load(at, min(64 << 10, size - at))
      let found: Int? = window.with(at, count) { bytes in
        var index = 0
        while index + 4 <= bytes.count {
          if bytes[index] == UInt8(truncatingIfNeeded: Format.blockMagic),
            bytes.number(UInt32.self, at: index) == Format.blockMagic
          {
            return index
          }
          index += 1
        }
        return nil
      }
      guard let found else {
        at += max(1, count - 3)
        continue
      }
      let candidate = at + found
      if let header = try readHeader(&window, candidate, size), accepts(header) {
        return candidate
      }
      at = candidate + 1
    }
    return nil
  }
}
