internal import CActionLog
internal import CLZ4

/// A block unpacked, with flat arrays for what its records' headers say.
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

  private(set) var count = 0

  init() {
    entries = UnsafeMutablePointer<Entry>.allocate(capacity: 1)
    bytes = raw.pointer
  }

  deinit {
    entries.deallocate()
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
  /// The caller has checked the header, and with it the sizes that memory is taken for.
  func unpack(_ header: BlockHeader, seed: UInt32) -> Bool {
    count = 0
    let packed = UnsafeRawBufferPointer(start: stored.pointer, count: Int(header.storedSize))
    guard checksum(seed, packed) == header.storedChecksum else { return false }
    raw.reserve(Int(header.rawSize))
    reserveEntries(Int(header.count))
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
    let content = UnsafeRawBufferPointer(start: raw.pointer, count: Int(header.rawSize))
    guard let start = readHeaders(header, content) else { return false }
    if header.columns == 0 {
      bytes = raw.pointer
    } else {
      gather(content.part(start, content.count - start), count: Int(header.count), header.columns)
    }
    count = Int(header.count)
    return true
  }

  /// Reads and unpacks a block; false when it is not what its header says.
  func load(
    _ entry: BlockEntry, _ file: any OpenFile, seed: UInt32
  ) throws(FileError) -> Bool {
    let buffer = storedBuffer(Int(entry.header.storedSize))
    let offset = entry.offset + UInt64(entry.header.size)
    let count = try file.readFully(into: buffer, at: offset)
    return count == buffer.count && unpack(entry.header, seed: seed)
  }

  /// The body of a record that was unpacked.
  func body(_ index: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: bytes + Int(entries[index].offset), count: Int(entries[index].length))
  }

  /// Its records, as those of a preamble.
  var preambleRecords: [PreambleRecord] {
    (0..<count).map { index in
      PreambleRecord(
        kind: RecordKind(rawValue: entries[index].kind), stream: entries[index].stream,
        payload: Array(body(index)))
    }
  }

  /// Fills the entries and the sizes; returns where the bodies begin, or nil when they do not end
  /// with `raw`.
  private func readHeaders(_ header: BlockHeader, _ raw: UnsafeRawBufferPointer) -> Int? {
    let count = Int(header.count)
    let entries = entries
    sizes.reserve(4 * count)
    let sizes = sizes.pointer.assumingMemoryBound(to: UInt32.self)
    var lengths = 3 * count
    guard lengths <= raw.count, var times = skipVarints(raw, lengths, count),
      let start = skipVarints(raw, times, count)
    else { return nil }
    let end = header.columns == 0 ? raw.count : raw.count - start
    var offset = header.columns == 0 ? start : 0
    var time = header.earliest
    for index in 0..<count {
      guard let length = takeVarint(raw, &lengths), length <= UInt64(end - offset),
        length <= UInt64(Format.maximumPayload), let delta = takeVarint(raw, &times)
      else { return nil }
      time = UInt64(bitPattern: Int64(bitPattern: time) &+ unzigzag(delta))
      entries[index] = Entry(
        time: time, offset: UInt32(truncatingIfNeeded: offset),
        length: UInt32(truncatingIfNeeded: length),
        stream: UInt16(raw[count + index]) | UInt16(raw[2 * count + index]) << 8,
        kind: raw[index])
      sizes[index] = UInt32(truncatingIfNeeded: length)
      offset += Int(length)
    }
    return offset == end ? start : nil
  }

  /// Puts each body's bytes side by side again.
  ///
  /// Their sizes add up to those of `source`.
  private func gather(_ source: UnsafeRawBufferPointer, count: Int, _ columns: UInt8) {
    places.reserve(4 * al_places(UInt32(columns)))
    heads.reserve(256 * Int(AL_HEADS_OF_KIND))
    bodies.reserve(source.count)
    bytes = bodies.pointer
    // The kinds are the first bytes of the block.
    al_gather(
      source.bindMemory(to: UInt8.self).baseAddress,
      raw.pointer.assumingMemoryBound(to: UInt8.self),
      sizes.pointer.assumingMemoryBound(to: UInt32.self), count, UInt32(columns), source.count,
      places.pointer.assumingMemoryBound(to: UInt32.self),
      heads.pointer.assumingMemoryBound(to: UInt8.self),
      bodies.pointer.assumingMemoryBound(to: UInt8.self))
  }

  /// Whether what the header says about the records is what they say.
  func agrees(with header: BlockHeader) -> Bool {
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
  }

  /// Adds a record whose body stands in `bytes` already.
  func addRecord(_ entry: Entry) {
    entries[count] = entry
    count += 1
  }
}
