internal import ActionLog

/// The file that holds states of one stream beside its log, so that a jump folds less.
///
/// It lies in a folder next to the log's, `NAME.retrace.states/`, and never in the log's own: the log
/// stays as it is, whatever is replayed. Everything in it can be worked out again, so that it may be
/// deleted at any time. It is written as a whole and then given its name, so that nobody meets half of
/// it, and of two processes that write it the last one counts.
///
/// Little-endian: the magic bytes, the version (4 bytes), the size of the identity (4), the identity;
/// the states, packed one by one; the table, 32 bytes a state; at the end the table's offset (8), its
/// count of states (8), the log's last sequence number (8), the checksums of the identity and of the
/// table (4 each), and the magic bytes again.
enum SideIndexFile {
  static let magic: [UInt8] = Array("RETRSIDE".utf8)
  static let version: UInt32 = 1
  static let headerSize = 16
  static let entrySize = 32
  static let endSize = 40
  /// The largest identity, and the most states, that are read: a bound on what a damaged file can ask
  /// for.
  static let identityLimit = 1 << 20
  static let countLimit = 1 << 22
  /// The largest state that is written, and read.
  static let stateLimit = 64 << 20

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

    init(number: Int, sequence: UInt64, offset: UInt64, storedSize: UInt32, size: UInt32) {
      self.number = number
      self.sequence = sequence
      self.offset = offset
      self.storedSize = storedSize
      self.size = size
    }

    init(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
      func word<T: FixedWidthInteger & BitwiseCopyable>(_ type: T.Type, _ place: Int) -> T {
        T(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + place, as: T.self))
      }
      self.number = Int(clamping: word(UInt64.self, 0))
      self.sequence = word(UInt64.self, 8)
      self.offset = word(UInt64.self, 16)
      self.storedSize = word(UInt32.self, 24)
      self.size = word(UInt32.self, 28)
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

extension [UInt8] {
  mutating func put<T: FixedWidthInteger & BitwiseCopyable>(little value: T) {
    Swift.withUnsafeBytes(of: value.littleEndian) { self.append(contentsOf: $0) }
  }
}
