/// How a block's bytes are stored.
enum BlockCodec {
  static let plain: UInt8 = 0
  static let lz4: UInt8 = 1
}

/// The number of action records of one stream in a block.
struct StreamCount: Hashable, Sendable {
  var stream: UInt16
  var actions: UInt32
}

/// The streams of a block; the first one without memory of its own, since most blocks have no other,
/// and a log's index holds very many.
struct StreamCounts: Hashable, Sendable, Sequence, ExpressibleByArrayLiteral {
  private var first: StreamCount?
  private var others: [StreamCount] = []

  init() {}

  init(_ counts: some Sequence<StreamCount>) {
    for count in counts { append(count) }
  }

  init(arrayLiteral counts: StreamCount...) {
    self.init(counts)
  }

  var count: Int { first == nil ? 0 : 1 + others.count }

  mutating func append(_ count: StreamCount) {
    if first == nil { first = count } else { others.append(count) }
  }

  func makeIterator() -> Iterator { Iterator(counts: self) }

  struct Iterator: IteratorProtocol {
    fileprivate let counts: StreamCounts
    private var index = 0

    fileprivate init(counts: StreamCounts) {
      self.counts = counts
    }

    mutating func next() -> StreamCount? {
      guard index < counts.count else { return nil }
      defer { index += 1 }
      return index == 0 ? counts.first : counts.others[index - 1]
    }
  }
}

/// What stands before a block's bytes, and again in the footer's index.
struct BlockHeader: Hashable, Sendable {
  static let preambleFlag: UInt16 = 1

  var codec: UInt8
  /// How many of the bodies' first bytes stand in columns.
  var columns: UInt8
  var flags: UInt16
  var storedSize: UInt32
  var rawSize: UInt32
  var firstSequence: UInt64
  var count: UInt32
  var storedChecksum: UInt32
  /// The earliest and the latest time of its records, in microseconds since 1970.
  var earliest: UInt64
  var latest: UInt64
  var kinds: UInt32
  var streams: StreamCounts
  /// Every record up to this one was durable when the block was written; 0 says nothing.
  var durable: UInt64 = 0

  var isPreamble: Bool { flags & Self.preambleFlag != 0 }
  var size: Int { Format.blockHeaderSize + Format.blockStreamSize * streams.count }
  /// The sequence number after its last record's.
  var endSequence: UInt64 { isPreamble ? firstSequence : firstSequence + UInt64(count) }

  /// The sync mark as it is stored: how far behind the block's first record what was durable
  /// ends, and 0 when that is not known or too far for 32 bits.
  private var mark: UInt32 {
    if durable == 0 { return 0 }
    return UInt32(exactly: firstSequence - min(durable, firstSequence - 1)) ?? 0
  }

  /// Its records that have numbers.
  var recordCount: UInt64 { endSequence - firstSequence }

  func encode(into bytes: inout [UInt8], seed: UInt32) {
    let start = bytes.count
    bytes.put(Format.blockMagic)
    bytes.put(UInt32(0))
    bytes.put(UInt16(size))
    bytes.put(codec)
    bytes.put(columns)
    bytes.put(flags)
    bytes.put(UInt16(streams.count))
    bytes.put(storedSize)
    bytes.put(rawSize)
    bytes.put(firstSequence)
    bytes.put(count)
    bytes.put(storedChecksum)
    bytes.put(earliest)
    bytes.put(latest)
    bytes.put(kinds)
    bytes.put(mark)
    for entry in streams {
      bytes.put(entry.stream)
      bytes.put(UInt16(0))
      bytes.put(entry.actions)
    }
    bytes.set(checksum(seed, bytes[(start + 8)...]), at: start + 4)
  }

  /// Reads and checks a header at the start of `bytes`; nil when there is none, or when it is cut
  /// off, damaged, or says what cannot be.
  static func decode(_ bytes: UnsafeRawBufferPointer, seed: UInt32) -> BlockHeader? {
    guard bytes.count >= Format.blockHeaderSize,
      bytes.number(UInt32.self, at: 0) == Format.blockMagic
    else { return nil }
    let size = Int(bytes.number(UInt16.self, at: 8))
    let streams = Int(bytes.number(UInt16.self, at: 14))
    guard streams <= Format.maximumBlockStreams,
      size == Format.blockHeaderSize + Format.blockStreamSize * streams, size <= bytes.count,
      checksum(seed, bytes.part(8, size - 8)) == bytes.number(UInt32.self, at: 4)
    else { return nil }
    let first = bytes.number(UInt64.self, at: 24)
    let mark = UInt64(bytes.number(UInt32.self, at: 60))
    var counts = StreamCounts()
    for index in 0..<streams {
      let at = Format.blockHeaderSize + Format.blockStreamSize * index
      counts.append(
        StreamCount(
          stream: bytes.number(UInt16.self, at: at), actions: bytes.number(UInt32.self, at: at + 4))
      )
    }
    let header = BlockHeader(
      codec: bytes[10], columns: bytes[11],
      flags: bytes.number(UInt16.self, at: 12),
      storedSize: bytes.number(UInt32.self, at: 16),
      rawSize: bytes.number(UInt32.self, at: 20),
      firstSequence: first,
      count: bytes.number(UInt32.self, at: 32),
      storedChecksum: bytes.number(UInt32.self, at: 36),
      earliest: bytes.number(UInt64.self, at: 40),
      latest: bytes.number(UInt64.self, at: 48),
      kinds: bytes.number(UInt32.self, at: 56),
      streams: counts,
      durable: mark > 0 && mark <= first ? first - mark : 0)
    return header.isPossible ? header : nil
  }

  /// Whether its sizes and numbers can be those of a block; checked before memory is taken.
  var isPossible: Bool {
    guard count > 0, rawSize <= UInt32(Format.maximumBlock), storedSize <= rawSize,
      UInt64(count) * UInt64(BlockLayout.leastRecord) <= UInt64(rawSize),
      firstSequence > 0, firstSequence <= Format.maximumSequence, earliest <= latest,
      columns <= BlockLayout.maximumColumns,
      streams.allSatisfy({ $0.actions <= count })
    else { return false }
    switch codec {
    case BlockCodec.plain: return storedSize == rawSize
    case BlockCodec.lz4: return storedSize > 0
    default: return false
    }
  }
}
