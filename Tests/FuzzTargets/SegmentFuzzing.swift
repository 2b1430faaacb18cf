internal import ActionLog
internal import CActionLog
internal import LogSimulation

// What a segment's bytes go through. Random bytes would never get past a checksum, hence the first
// byte of an input says which of them are made right before the reader sees them.

private let segmentPath = "/x/00000000000000000001.segment"
private let segmentStart = 192
private let headerSize = 96

/// - Parameter input: A byte of flags (1: make the headers right, 2: the blocks, 4: the index, 128:
///   also open it for writing), then a segment.
func fuzzSegment(_ input: [UInt8]) throws(FuzzTarget.Finding) {
  guard let flags = input.first else { return }
  var bytes = Array(input.dropFirst())
  if flags & 1 != 0, bytes.count >= segmentStart {
    for start in [0, headerSize] {
      let check = bytes.checksum(0, start..<start + headerSize - 4)
      bytes.set(start + headerSize - 4, 4, UInt64(check))
    }
  }
  if bytes.count >= segmentStart {
    let seed = bytes.checksum(0, 24..<32)
    if flags & 2 != 0 { repairBlocks(&bytes, seed) }
    if flags & 4 != 0 { repairIndex(&bytes, seed) }
  }
  let disk = MemoryFileSystem()
  disk.put(directory: "/x")
  disk.put(segmentPath, bytes)
  try exercise(disk, writes: flags & 128 != 0)
}

private func repairBlocks(_ bytes: inout [UInt8], _ seed: UInt32) {
  var at = segmentStart
  while at + 64 <= bytes.count, bytes.number(at, 4) == 0x4b4c_4252 {
    let size = Int(bytes.number(at + 8, 2))
    let stored = Int(bytes.number(at + 16, 4))
    guard size >= 64, at + size + stored <= bytes.count else { return }
    let check = bytes.checksum(seed, at + size..<at + size + stored)
    bytes.set(at + 36, 4, UInt64(check))
    bytes.set(at + 4, 4, UInt64(bytes.checksum(seed, at + 8..<at + size)))
    at += size + stored
  }
}

private func repairIndex(_ bytes: inout [UInt8], _ seed: UInt32) {
  let trailer = bytes.count - 24
  guard trailer >= segmentStart else { return }
  let offset = bytes.number(trailer, 8)
  let size = Int(bytes.number(trailer + 8, 4))
  if offset < UInt64(trailer), size >= 8, Int(offset) + size <= trailer {
    let start = Int(offset)
    bytes.set(start + 4, 4, UInt64(bytes.checksum(seed, start + 8..<start + size)))
  }
  bytes.set(trailer + 20, 4, UInt64(bytes.checksum(seed, trailer..<trailer + 20)))
}

/// - Parameter input: Codec, columns, flags, the count in two bytes, the raw size in four, then the
///   stored bytes. The rest of the block and the segment around it are right.
func fuzzBlock(_ input: [UInt8]) throws(FuzzTarget.Finding) {
  guard input.count >= 9 else { return }
  let stored = Array(input[9...])
  var bytes = segmentHeader()
  let seed = bytes.checksum(0, 24..<32)
  var block: [UInt8] = []
  block.append(4, 0x4b4c_4252)
  block.append(4, 0)
  block.append(2, 72)
  block.append(input[0] & 3)
  block.append(input[1] & 63)
  block.append(2, UInt64(input[2] & 1))
  block.append(2, 1)
  block.append(4, UInt64(stored.count))
  let raw = input.number(5, 4)
  block.append(4, input[0] & 3 == 0 ? UInt64(stored.count) : raw)
  block.append(8, 1)
  block.append(4, input.number(3, 2))
  block.append(4, UInt64(stored.checksum(seed, 0..<stored.count)))
  block.append(8, 1_700_000_000_000_000)
  block.append(8, 1_700_000_000_000_009)
  block.append(4, 0x1ffe)
  block.append(4, 0)
  block.append(8, 1 << 32)
  block.set(4, 4, UInt64(block.checksum(seed, 8..<block.count)))
  bytes += block + stored
  let disk = MemoryFileSystem()
  disk.put(directory: "/x")
  disk.put(segmentPath, bytes)
  try exercise(disk, writes: false)
}

private func segmentHeader() -> [UInt8] {
  var bytes = Array("RTRCSEG\n".utf8)
  bytes.append(2, 1)
  bytes.append(2, UInt64(headerSize))
  bytes.append(4, 0)
  bytes.append(4, 0)
  bytes.append(4, 0)
  bytes.append(8, 0x0123_4567_89ab_cdef)
  bytes.append(8, 1)
  bytes.append(4, 1)
  bytes.append(4, 1)
  bytes.append(8, 1_700_000_000_000_000)
  while bytes.count < headerSize - 4 { bytes.append(0) }
  bytes.append(4, UInt64(bytes.checksum(0, 0..<bytes.count)))
  return bytes + bytes
}

/// Opens a log in every way that there is, reads all of it, and looks whether that agrees.
///
/// What does not depend on the way is done once, since each input is to be cheap.
func exercise(_ disk: MemoryFileSystem, writes: Bool) throws(FuzzTarget.Finding) {
  var salvaged: UInt64 = 0
  if let reader = try? LogReader(at: "/x", mode: .salvage, fileSystem: disk) {
    salvaged = try readAll(reader, .salvage)
    for segment in reader.summary.segments { _ = try? reader.preamble(of: segment) }
    _ = reader.blocks
    _ = try? reader.verify()
  }
  for mode in [ReadMode.tolerateTail, .strict] {
    guard let reader = try? LogReader(at: "/x", mode: mode, fileSystem: disk) else { continue }
    let count = try readAll(reader, mode)
    if count > salvaged {
      throw FuzzTarget.Finding(
        description: "\(mode) reads \(count) records, and salvage \(salvaged)")
    }
  }
  if !writes { return }
  var options = LogOptions()
  options.initialTailSize = 4 << 10
  options.maximumTailSize = 4 << 10
  let copy = disk.copyAfterKill()
  guard let writer = try? LogWriter(at: "/x", options: options, fileSystem: copy) else { return }
  _ = try? writer.append(.note, stream: 0, payload: [1])
  try? writer.close()
}

private func readAll(_ reader: LogReader, _ mode: ReadMode) throws(FuzzTarget.Finding) -> UInt64 {
  var cursor = reader.cursor()
  var last: UInt64 = 0
  var count: UInt64 = 0
  var sum: UInt8 = 0
  do throws(LogError) {
    while let record = try cursor.next() {
      if record.sequence <= last {
        throw LogError(.invalidArgument, "record \(record.sequence) is read behind \(last)")
      }
      last = record.sequence
      count += 1
      // Touch what was lent.
      for byte in record.payload { sum = sum &+ byte }
    }
  } catch {
    if error.code == .invalidArgument { throw FuzzTarget.Finding(description: error.message) }
    if mode == .salvage && error.code == .damaged {
      throw FuzzTarget.Finding(description: "salvage throws: \(error.message)")
    }
  }
  return sum == 255 && count == .max ? 0 : count
}
