internal import ActionLog

/// The file that holds states of one stream beside its log, so that a jump folds less.
///
/// It lies in a folder next to the log's, `NAME.retrace.states/`, and never in the log's own: the log
/// stays as it is, whatever is replayed. Everything in it can be worked out again, so that it may be
/// deleted at any time. It is written as a whole and then given its name, so that nobody meets half of
/// it, and of two processes that write it the last one counts.
///
/// Little-endian, as `SideIndex.md` has it: the states stand first, then the table, in pages; at the
/// end stands what has to be read of it before any jump.
enum SideIndexFile {
  static let magic: [UInt8] = Array("RETRSIDE".utf8)
  static let version: UInt32 = 2
  static let headerSize = 16
  static let entrySize = 32
  /// The states whose entries stand in one page of the table: 4 KiB, which a disk gives at once.
  static let pageEntries = 128
  /// What the end says that its checksum is of, beside identity and directory.
  static let summarySize = 28
  static let endSize = 48
  /// How much of the file's end is read at once: as a rule all that opening needs, and little enough
  /// to come from a disk as fast as less would.
  static let readAtOnce = 1 << 14
  /// The largest identity, and the most states, that are read: a bound on what a damaged file can ask
  /// for.
  static let identityLimit = 1 << 20
  static let countLimit = 1 << 22
  /// The largest state that is written, and read.
  static let stateLimit = 64 << 20

  static func pageCount(_ count: Int) -> Int { (count + Self.pageEntries - 1) / Self.pageEntries }

  /// The bytes of a table with so many states: each page with its checksum.
  static func tableSize(_ count: Int) -> Int {
    count * Self.entrySize + 4 * Self.pageCount(count)
  }

  /// The bytes behind the table.
  static func tailSize(_ count: Int, identity: Int) -> Int {
    identity + 8 * Self.pageCount(count) + Self.endSize
  }

  /// What stands at the end of a file.
  struct End {
    var tableOffset: UInt64
    /// How many states there are.
    var count: UInt64
    /// The last record of the log's run when the file was written.
    var lastSequence: UInt64
    var identitySize: UInt32
    /// Of the fields before it, behind the identity and the directory.
    var checksum: UInt32 = 0
    var version = SideIndexFile.version

    /// - Parameter before: Identity and directory, which the checksum is of as well.
    func bytes(behind before: [UInt8]) -> [UInt8] {
      var bytes = before
      bytes.put(little: self.tableOffset)
      bytes.put(little: self.count)
      bytes.put(little: self.lastSequence)
      bytes.put(little: self.identitySize)
      let sum = PackedBytes.sum(bytes)
      bytes.put(little: sum)
      bytes.put(little: self.version)
      bytes.put(little: UInt32(0))
      return bytes + SideIndexFile.magic
    }
  }

  /// What the table says of a state.
  struct Entry: Equatable {
    /// The number of the action that led to it.
    var number: Int
    /// The first of the log's records that a replay goes on with.
    var sequence: UInt64
    var offset: UInt64
    var storedSize: UInt32
    /// The size unpacked; the same as the stored one where it is not packed.
    var size: UInt32

    func put(to bytes: inout [UInt8]) {
      bytes.put(little: UInt64(self.number))
      bytes.put(little: self.sequence)
      bytes.put(little: self.offset)
      bytes.put(little: self.storedSize)
      bytes.put(little: self.size)
    }
  }

  /// The folder of the files that belong to the log at `path`.
  static func folder(of path: String) -> String {
    var path = path[...]
    while path.count > 1, path.hasSuffix("/") { path = path.dropLast() }
    return path + ".states"
  }

  static func name(of stream: StreamInfo) -> String { "\(stream.run)-\(stream.number).states" }
}

extension SideIndexFile.End {
  /// - Parameter bytes: The last ones of a file; `nil` where they are no end.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count == SideIndexFile.endSize,
      bytes.suffix(8).elementsEqual(SideIndexFile.magic),
      bytes.little(at: 32, as: UInt32.self) == SideIndexFile.version
    else { return nil }
    self.init(
      tableOffset: bytes.little(at: 0), count: bytes.little(at: 8),
      lastSequence: bytes.little(at: 16), identitySize: bytes.little(at: 24),
      checksum: bytes.little(at: 28))
  }
}

extension SideIndexFile.Entry {
  init(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    self.init(
      number: Int(clamping: bytes.little(at: offset, as: UInt64.self)),
      sequence: bytes.little(at: offset + 8), offset: bytes.little(at: offset + 16),
      storedSize: bytes.little(at: offset + 24), size: bytes.little(at: offset + 28))
  }
}

extension [UInt8] {
  mutating func put<T: FixedWidthInteger & BitwiseCopyable>(little value: T) {
    Swift.withUnsafeBytes(of: value.littleEndian) { self.append(contentsOf: $0) }
  }
}

extension UnsafeRawBufferPointer {
  func little<T: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as type: T.Type = T.self) -> T
  {
    T(littleEndian: self.loadUnaligned(fromByteOffset: offset, as: type))
  }
}
