/// Appends blocks to one segment.
///
/// Nothing in the file is ever written twice.
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
  /// The last record that is in a block of this segment and synced; 0 when none is.
  private(set) var syncedSequence: UInt64 = 0
  private var isSynced = false

  init(
    directory: String, header: SegmentHeader, fileSystem: any FileSystem
  ) throws(FileError) {
    self.directory = directory
    self.fileSystem = fileSystem
    self.header = header
    path = join(directory, FileName.segment(header.firstSequence))
    seed = ActionLog.seed(of: header.salt)
    nextSequence = header.firstSequence
    file = try fileSystem.open(path, .create)
    let bytes = header.encoded()
    try file.writeFully(bytes, at: 0)
    size = UInt64(bytes.count)
  }

  /// Writes the builder's records as a block and empties it.
  mutating func write(
    _ builder: inout BlockBuilder, plain: Bool
  ) throws(FileError) -> BlockBuilder.Sizes {
    buffer.removeAll(keepingCapacity: buffer.count <= 1 << 20)
    let (block, sizes) = builder.finish(into: &buffer, seed: seed, plain: plain)
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
    syncedSequence = nextSequence - 1
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
}
