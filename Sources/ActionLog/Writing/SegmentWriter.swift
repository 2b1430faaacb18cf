/// Appends blocks to one segment.
///
/// Nothing in the file is ever written twice, and nothing behind a write that failed.
struct SegmentWriter {
  let path: String
  let header: SegmentHeader
  private let file: any OpenFile
  private let seed: UInt32
  private let directory: String
  private let fileSystem: any FileSystem
  private var entries: [BlockEntry] = []
  private var isInDirectory = false
  private var buffer: [UInt8] = []

  private(set) var size: UInt64
  private(set) var nextSequence: UInt64
  private var isSynced = false

  /// Makes the file, under the segment's own name unless another is given.
  init(
    directory: String, header: SegmentHeader, name: String? = nil, fileSystem: any FileSystem
  ) throws(FileError) {
    self.directory = directory
    self.fileSystem = fileSystem
    self.header = header
    path = join(directory, name ?? FileName.segment(header.firstSequence))
    seed = ActionLog.seed(of: header.salt)
    nextSequence = header.firstSequence
    file = try fileSystem.open(path, .create)
    let bytes = header.encoded()
    do throws(FileError) {
      try file.writeFully(bytes, at: 0)
    } catch {
      file.close()
      try? fileSystem.unlink(path)
      throw error
    }
    size = UInt64(bytes.count)
  }

  /// Whether it holds a record with a number.
  var hasRecords: Bool { nextSequence > header.firstSequence }

  /// Writes the builder's records as a block and empties it.
  mutating func write(
    _ builder: inout BlockBuilder, packing: BlockPacking
  ) throws(FileError) -> BlockBuilder.Sizes {
    buffer.removeAll(keepingCapacity: buffer.count <= 1 << 20)
    let (block, sizes) = builder.finish(into: &buffer, seed: seed, packing: packing)
    try file.writeFully(buffer, at: size)
    entries.append(BlockEntry(offset: size, header: block))
    size += UInt64(buffer.count)
    nextSequence = block.endSequence
    isSynced = false
    return sizes
  }

  /// Returns once all blocks so far are safe against a loss of power.
  mutating func sync() throws(FileError) {
    if isSynced { return }
    try file.sync()
    if !isInDirectory { try fileSystem.syncDirectory(directory) }
    isInDirectory = true
    isSynced = true
  }

  /// Writes index and trailer, and syncs.
  ///
  /// Nothing may be written afterwards.
  mutating func finish(isClean: Bool) throws(FileError) {
    let footer = Footer(
      flags: isClean ? Footer.cleanFlag : 0, nextSequence: nextSequence, entries: entries)
    let bytes = footer.encoded(at: size, seed: seed)
    try file.writeFully(bytes, at: size)
    size += UInt64(bytes.count)
    isSynced = false
    try sync()
    file.close()
  }

  /// Ends it without an index, after a write that failed: what was written whole is made safe.
  mutating func abandon() throws(FileError) {
    try sync()
    file.close()
  }

  /// Takes it away: it holds no records.
  func discard() throws(FileError) {
    file.close()
    try fileSystem.unlink(path)
  }
}
