internal import CActionLog
internal import CLZ4

enum BlockLayout {
  /// How many of a body's first bytes stand in columns when a block is packed.
  ///
  /// Bodies of a kind have much the same fields in their first bytes, and a column of one field
  /// packs far better than fields in turn: an editing session takes 2 bytes an action so, and
  /// 5.6 without. Of text, which follows behind, columns make a worse thing.
  static let columns: UInt8 = 12
  /// The most that a block may say.
  static let maximumColumns: UInt8 = 32
  /// With fewer records columns gain nothing.
  static let leastForColumns = 8
  /// The bytes that a record takes at least: kind 1, stream 2, length 1, time 1.
  static let leastRecord = 5
}

/// How much time is taken to make a block small.
enum BlockPacking: Sendable {
  /// None: the bytes are stored as they are.
  case none
  case fast
  /// Ten times as long as `fast`, for segments that nobody waits for; read as fast.
  case thorough
}

/// Gathers records and turns them into a block.
struct BlockBuilder {
  private var kinds: [UInt8] = []
  private var streams: [UInt16] = []
  private var sizes: [UInt32] = []
  private var lengths: [UInt8] = []
  private var times: [UInt8] = []
  private var bodies: [UInt8] = []
  private var counts: [StreamCount] = []
  private var kindSet = RecordKindSet()
  private var firstTime: UInt64 = 0
  private var lastTime: UInt64 = 0
  private var earliest: UInt64 = 0
  private var latest: UInt64 = 0
  private var stateBytes = 0
  private var packed: [UInt8] = []
  private var places: [UInt32] = []

  private(set) var count = 0
  var firstSequence: UInt64 = 0
  /// Every record up to this one is durable by now; 0 when that is not known.
  var durable: UInt64 = 0
  var isPreamble = false

  var isEmpty: Bool { count == 0 }
  /// The size of its records in the block, before it is packed.
  var rawSize: Int { count * 3 + lengths.count + times.count + bodies.count + 10 }
  /// Whether one more stream may make it count too many.
  var hasManyStreams: Bool { counts.count >= Format.maximumBlockStreams }

  init() {}

  mutating func add(kind: RecordKind, stream: UInt16, time: UInt64, body: UnsafeRawBufferPointer) {
    if count == 0 {
      firstTime = time
      earliest = time
      latest = time
    } else {
      times.putVarint(zigzag(Int64(bitPattern: time &- lastTime)))
      if time < earliest { earliest = time }
      if time > latest { latest = time }
    }
    lastTime = time
    count += 1
    kinds.append(kind.rawValue)
    streams.append(stream)
    sizes.append(UInt32(body.count))
    lengths.putVarint(UInt64(body.count))
    bodies.append(contentsOf: body)
    kindSet.insert(kind)
    if kind == .action { countAction(stream) }
    if kind == .state { stateBytes += body.count }
  }

  private mutating func countAction(_ stream: UInt16) {
    if let last = counts.indices.last, counts[last].stream == stream {
      counts[last].actions += 1
    } else if let index = counts.firstIndex(where: { $0.stream == stream }) {
      counts[index].actions += 1
    } else {
      counts.append(StreamCount(stream: stream, actions: 1))
    }
  }

  /// What a finished block took, and the part of it that its states took.
  struct Sizes {
    var stored: Int
    var states: Int
  }

  /// Appends header and bytes of the block to `output` and starts over.
  ///
  /// The bytes are packed as `packing` says, unless that makes them no smaller.
  mutating func finish(
    into output: inout [UInt8], seed: UInt32, packing: BlockPacking = .fast
  ) -> (header: BlockHeader, sizes: Sizes) {
    let columns =
      packing == .none || count < BlockLayout.leastForColumns ? 0 : BlockLayout.columns
    var raw: [UInt8] = []
    raw.reserveCapacity(rawSize)
    raw.append(contentsOf: kinds)
    for stream in streams { raw.append(UInt8(truncatingIfNeeded: stream)) }
    for stream in streams { raw.append(UInt8(truncatingIfNeeded: stream >> 8)) }
    raw.append(contentsOf: lengths)
    raw.putVarint(zigzag(Int64(bitPattern: firstTime &- earliest)))
    raw.append(contentsOf: times)
    if columns == 0 {
      raw.append(contentsOf: bodies)
    } else {
      appendColumns(Int(columns), to: &raw)
    }

    let storedCount = packing == .none ? 0 : pack(raw, isThorough: packing == .thorough)
    let isPacked = storedCount > 0 && storedCount < raw.count
    let stored = isPacked ? packed[..<storedCount] : raw[...]
    let header = BlockHeader(
      codec: isPacked ? BlockCodec.lz4 : BlockCodec.plain, columns: columns,
      flags: isPreamble ? BlockHeader.preambleFlag : 0,
      storedSize: UInt32(stored.count), rawSize: UInt32(raw.count),
      firstSequence: firstSequence, count: UInt32(count),
      storedChecksum: checksum(seed, stored),
      earliest: earliest, latest: latest, kinds: kindSet.rawValue, streams: StreamCounts(counts),
      durable: durable)
    let start = output.count
    header.encode(into: &output, seed: seed)
    output.append(contentsOf: stored)
    let whole = output.count - start
    let share = bodies.isEmpty ? 0 : Int(Double(whole) * Double(stateBytes) / Double(bodies.count))
    clear()
    return (header, Sizes(stored: whole, states: share))
  }

  /// Packs bytes into `packed`, and returns how many that makes.
  private mutating func pack(_ raw: [UInt8], isThorough: Bool) -> Int {
    let bound = Int(LZ4_compressBound(Int32(raw.count)))
    if packed.count < bound { packed = [UInt8](repeating: 0, count: bound) }
    return raw.withUnsafeBytes { source in
      packed.withUnsafeMutableBytes { target in
        let from = source.bindMemory(to: CChar.self).baseAddress
        let to = target.bindMemory(to: CChar.self).baseAddress
        let count = Int32(source.count)
        let room = Int32(target.count)
        return isThorough
          ? Int(LZ4_compress_HC(from, to, count, room, Int32(LZ4HC_CLEVEL_DEFAULT)))
          : Int(LZ4_compress_default(from, to, count, room))
      }
    }
  }

  /// Appends the bodies kind by kind: first the columns, then what stands behind them.
  private mutating func appendColumns(_ columns: Int, to raw: inout [UInt8]) {
    let start = raw.count
    raw.append(contentsOf: repeatElement(0, count: bodies.count))
    let count = count
    if places.isEmpty { places = [UInt32](repeating: 0, count: al_places(UInt32(columns))) }
    raw.withUnsafeMutableBufferPointer { raw in
      guard let target = raw.baseAddress else { return }
      al_scatter(bodies, kinds, sizes, count, UInt32(columns), &places, target + start)
    }
  }

  /// Forgets what was gathered.
  mutating func clear() {
    kinds.removeAll(keepingCapacity: true)
    streams.removeAll(keepingCapacity: true)
    sizes.removeAll(keepingCapacity: true)
    lengths.removeAll(keepingCapacity: true)
    times.removeAll(keepingCapacity: true)
    bodies.removeAll(keepingCapacity: bodies.count <= 1 << 20)
    if packed.count > 1 << 20 { packed = [] }
    counts.removeAll(keepingCapacity: true)
    kindSet = RecordKindSet()
    stateBytes = 0
    count = 0
  }
}
