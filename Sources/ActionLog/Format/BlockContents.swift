internal import CActionLog
internal import CLZ4

/// A block unpacked, with flat arrays for what its records' headers say.
///
/// Whether a block is as it has to be is known once it is unpacked; its records are made ready a
/// stretch at a time, so that who looks for a few of them does not pay for all. One stretch takes
/// the place of the other, which then is in the processor's first cache, and leaves room there for
/// whoever reads the records.
///
/// Reused from block to block by one cursor; it grows to the largest block it met, within the
/// format's caps.
@usableFromInline
final class BlockContents {
  @usableFromInline
  struct Entry {
    @usableFromInline var time: UInt64
    @usableFromInline var offset: UInt32
    @usableFromInline var length: UInt32
    @usableFromInline var stream: UInt16
    @usableFromInline var kind: UInt8
  }

  /// Those of the records that are ready, from the first of them on.
  private(set) var entries: UnsafeMutablePointer<Entry>
  /// What the entries' offsets count from: `raw`, or `bodies`.
  private(set) var bytes: UnsafeMutableRawPointer
  private var entryCapacity = 0
  private var stored = Memory()
  private var raw = Memory()
  private var bodies = Memory()
  private var sizes = Memory()
  private var places = Memory()
  private var heads = Memory()
  private let columns = UnsafeMutablePointer<al_columns>.allocate(capacity: 1)

  private(set) var count = 0
  /// The records whose entries and bodies are there, as numbers in the block.
  private(set) var ready = 0..<0

  // The place behind `ready`.
  private var layout = Layout()
  private var nextTime = 0
  private var time: UInt64 = 0
  private var offset = 0

  /// What is where in an unpacked block.
  private struct Layout {
    var size = 0
    var times = 0
    var bodies = 0
    var earliest: UInt64 = 0
    var columns: UInt8 = 0
  }

  init() {
    entries = UnsafeMutablePointer<Entry>.allocate(capacity: 1)
    bytes = raw.pointer
  }

  deinit {
    entries.deallocate()
    columns.deallocate()
    stored.pointer.deallocate()
    raw.pointer.deallocate()
    bodies.pointer.deallocate()
    sizes.pointer.deallocate()
    places.pointer.deallocate()
    heads.pointer.deallocate()
  }

  /// Memory that grows and keeps nothing.
  private struct Memory {
    var pointer = UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 16)
    var capacity = 16

    mutating func reserve(_ count: Int) {
      if count <= capacity { return }
      pointer.deallocate()
      pointer = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 16)
      capacity = count
    }
  }

  /// Memory for the bytes as they are stored.
  func storedBuffer(_ count: Int) -> UnsafeMutableRawBufferPointer {
    stored.reserve(count)
    return UnsafeMutableRawBufferPointer(start: stored.pointer, count: count)
  }

  private func reserveEntries(_ count: Int) {
    if count <= entryCapacity { return }
    entries.deallocate()
    entries = UnsafeMutablePointer<Entry>.allocate(capacity: count)
    entryCapacity = count
  }

  /// Unpacks what `storedBuffer` holds; false when it is not what `header` says.
  ///
  /// The caller has checked the header, and with it the sizes that memory is taken for. No record is
  /// ready yet.
  func unpack(_ header: BlockHeader, seed: UInt32) -> Bool {
    count = 0
    ready = 0..<0
    let packed = UnsafeRawBufferPointer(start: stored.pointer, count: Int(header.storedSize))
    guard checksum(seed, packed) == header.storedChecksum else { return false }
    raw.reserve(Int(header.rawSize) + Int(AL_SLACK))
    switch header.codec {
    case BlockCodec.lz4:
      let size = LZ4_decompress_safe(
        packed.bindMemory(to: CChar.self).baseAddress,
        raw.pointer.assumingMemoryBound(to: CChar.self), Int32(packed.count),
        Int32(header.rawSize))
      guard size == Int32(header.rawSize) else { return false }
    case BlockCodec.plain:
      raw.pointer.copyMemory(from: stored.pointer, byteCount: packed.count)
    default:
      return false
    }
    guard lookThrough(header) else { return false }
    count = Int(header.count)
    begin()
    return true
  }

  /// Reads and unpacks a block; false when it is not what its header says.
  ///
  /// No record is ready yet.
  func load(
    _ entry: BlockEntry, _ file: any OpenFile, seed: UInt32
  ) throws(FileError) -> Bool {
    let buffer = storedBuffer(Int(entry.header.storedSize))
    let offset = entry.offset + UInt64(entry.header.size)
    let count = try file.readFully(into: buffer, at: offset)
    return count == buffer.count && unpack(entry.header, seed: seed)
  }

  /// The same block once more, of which no record is ready yet.
  func copy() -> BlockContents {
    let copy = BlockContents()
    copy.layout = layout
    copy.count = count
    copy.raw.reserve(layout.size + Int(AL_SLACK))
    copy.raw.pointer.copyMemory(from: raw.pointer, byteCount: layout.size)
    copy.sizes.reserve(4 * count)
    copy.sizes.pointer.copyMemory(from: sizes.pointer, byteCount: 4 * count)
    copy.begin()
    return copy
  }

  /// The body of a record that is ready, counted from the first one that is.
  func body(_ index: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: bytes + Int(entries[index].offset), count: Int(entries[index].length))
  }

  /// The first record of a kind from one on, whether it is ready or not; `nil` where there is none.
  func firstIndex(of kind: RecordKind, from first: Int) -> Int? {
    // Records that were added one by one have no other place.
    if ready == 0..<count { return (first..<count).first { entries[$0].kind == kind.rawValue } }
    // The kinds are the first bytes of the block.
    return UnsafeRawBufferPointer(start: raw.pointer, count: count)[first...]
      .firstIndex(of: kind.rawValue)
  }

  /// Its records, as those of a preamble.
  var preambleRecords: [PreambleRecord] {
    prepareAll()
    return (0..<count).map { index in
      PreambleRecord(
        kind: RecordKind(rawValue: entries[index].kind), stream: entries[index].stream,
        payload: Array(body(index)))
    }
  }

  /// Reads the lengths and looks whether the times can be read; false when they do not end where
  /// they should, or the bodies do not end with `raw`.
  private func lookThrough(_ header: BlockHeader) -> Bool {
    let count = Int(header.count)
    let size = Int(header.rawSize)
    layout = Layout(
      size: size, times: 0, bodies: 0, earliest: header.earliest, columns: header.columns)
    guard 3 * count <= size else { return false }
    sizes.reserve(4 * count)
    let first = raw.pointer.assumingMemoryBound(to: UInt8.self)
    var total: UInt64 = 0
    var end = 0
    guard
      al_take_lengths(
        first + 3 * count, size - 3 * count, count, UInt32(Format.maximumPayload),
        sizes.pointer.assumingMemoryBound(to: UInt32.self), &total, &end)
    else { return false }
    layout.times = 3 * count + end
    guard al_pass_varints(first + layout.times, size - layout.times, count, &end) else {
      return false
    }
    layout.bodies = layout.times + end
    return total == UInt64(size - layout.bodies)
  }

  /// Goes to the place before the first record.
  private func begin() {
    ready = 0..<0
    nextTime = layout.times
    time = layout.earliest
    guard layout.columns > 0 else {
      bytes = raw.pointer
      offset = layout.bodies
      return
    }
    offset = 0
    places.reserve(4 * al_places(UInt32(layout.columns)))
    heads.reserve(256 * Int(AL_HEADS_OF_KIND))
    bodies.reserve(layout.size - layout.bodies + Int(AL_SLACK))
    bytes = bodies.pointer
    let first = raw.pointer.assumingMemoryBound(to: UInt8.self)
    // The kinds are the first bytes of the block.
    al_columns_begin(
      columns, first + layout.bodies, first, sizes.pointer.assumingMemoryBound(to: UInt32.self),
      count, UInt32(layout.columns),
      places.pointer.assumingMemoryBound(to: UInt32.self),
      heads.pointer.assumingMemoryBound(to: UInt8.self))
  }

  /// Makes these records ready, in the place of those that were.
  func prepare(_ range: Range<Int>) {
    if range.lowerBound < ready.upperBound { begin() }
    if range.lowerBound > ready.upperBound { pass(to: range.lowerBound) }
    reserveEntries(range.count)
    let first = range.lowerBound
    if layout.columns > 0 { offset = 0 }
    let content = UnsafeRawBufferPointer(start: raw.pointer, count: layout.size)
    let sizes = sizes.pointer.assumingMemoryBound(to: UInt32.self)
    let entries = entries
    var (nextTime, time, offset) = (nextTime, time, offset)
    for index in first..<range.upperBound {
      time = UInt64(
        bitPattern: Int64(bitPattern: time) &+ unzigzag(takeVarint(content, &nextTime) ?? 0))
      entries[index - first] = Entry(
        time: time, offset: UInt32(truncatingIfNeeded: offset), length: sizes[index],
        stream: UInt16(content[count + index]) | UInt16(content[2 * count + index]) << 8,
        kind: content[index])
      offset += Int(sizes[index])
    }
    if layout.columns > 0 {
      al_columns_gather(
        columns, first, range.upperBound, bytes.assumingMemoryBound(to: UInt8.self), offset)
    }
    (self.nextTime, self.time, self.offset) = (nextTime, time, offset)
    ready = range
  }

  func prepareAll() { prepare(0..<count) }

  /// Goes on behind records that nobody looks at.
  private func pass(to end: Int) {
    let first = ready.upperBound
    let content = UnsafeRawBufferPointer(start: raw.pointer, count: layout.size)
    let sizes = sizes.pointer.assumingMemoryBound(to: UInt32.self)
    var (nextTime, time, passed) = (nextTime, Int64(bitPattern: time), 0)
    for index in first..<end {
      time &+= unzigzag(takeVarint(content, &nextTime) ?? 0)
      passed += Int(sizes[index])
    }
    if layout.columns > 0 { al_columns_pass(columns, first, end) }
    (self.nextTime, self.time) = (nextTime, UInt64(bitPattern: time))
    offset += passed
    ready = end..<end
  }

  /// Whether what the header says about the records is what they say.
  func agrees(with header: BlockHeader) -> Bool {
    prepareAll()
    var kinds = RecordKindSet()
    var actions: [UInt16: UInt32] = [:]
    var earliest = UInt64.max
    var latest: UInt64 = 0
    for index in 0..<count {
      let entry = entries[index]
      let kind = RecordKind(rawValue: entry.kind)
      kinds.insert(kind)
      if kind == .action { actions[entry.stream, default: 0] += 1 }
      earliest = min(earliest, entry.time)
      latest = max(latest, entry.time)
    }
    var counted: [UInt16: UInt32] = [:]
    for count in header.streams { counted[count.stream, default: 0] &+= count.actions }
    return kinds.rawValue == header.kinds && actions == counted && earliest == header.earliest
      && latest == header.latest
  }

  /// Empties it, to be filled record by record.
  func beginRecords(_ count: Int, bytes byteCount: Int) {
    raw.reserve(byteCount)
    bytes = raw.pointer
    reserveEntries(count)
    self.count = 0
    ready = 0..<0
  }

  /// Adds a record whose body stands in `bytes` already.
  func addRecord(_ entry: Entry) {
    entries[count] = entry
    count += 1
    ready = 0..<count
  }
}
