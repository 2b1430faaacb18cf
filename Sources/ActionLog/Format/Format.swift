internal import CActionLog

/// The constants of the format, version 1.
///
/// `ActionLog.docc/Format.md` is the specification.
enum Format {
  static let version: UInt16 = 1

  static let segmentMagic: [UInt8] = Array("RTRCSEG\n".utf8)
  static let tailMagic: [UInt8] = Array("RTRCTAI\n".utf8)
  static let freeMagic: [UInt8] = Array("RTRCFRE\n".utf8)
  static let liveMagic: [UInt8] = Array("RTRCLIV\n".utf8)
  static let endMagic: [UInt8] = Array("RTRCEND\n".utf8)
  /// `RBLK` and `RFTR`, read as little-endian numbers.
  static let blockMagic: UInt32 = 0x4b4c_4252
  static let footerMagic: UInt32 = 0x5254_4652

  /// Features that this version reads: none beyond version 1.
  static let knownIncompatible: UInt32 = 0
  /// Features that this version keeps when it writes.
  static let knownReadOnlyCompatible: UInt32 = 0

  /// The largest payload.
  ///
  /// A state of more than this is not one that can be replayed quickly.
  static let maximumPayload = 64 << 20
  /// The largest block, unpacked: one record of the largest payload with its columns.
  static let maximumBlock = maximumPayload + (64 << 10)
  /// The most streams whose actions one block counts; bounds its header.
  static let maximumBlockStreams = 1024
  /// The largest footer: 128 bytes for each block of a segment a thousand times the usual size.
  static let maximumFooter = 1 << 30
  /// The largest tail: one record of the largest payload.
  static let maximumTail = maximumPayload + (1 << 20)

  /// The largest number of a record that a file may name as a first one.
  ///
  /// No log comes near; a header that says more is damaged, and sums with it would not fit.
  static let maximumSequence: UInt64 = 1 << 62
  /// The number from which on a log takes no more records.
  static let lastSequence: UInt64 = 1 << 61
  /// The largest number of a run.
  static let maximumRun = UInt32.max - 1
  /// The latest time that a header may say, in microseconds since 1970.
  static let maximumTime: UInt64 = 1 << 62

  static let segmentHeaderSize = 96
  /// The header stands twice, so that no single damage makes a segment's salt unknown.
  static let segmentStart = 2 * segmentHeaderSize
  static let tailHeaderSize = 64
  static let tailStart = 2 * tailHeaderSize
  static let frameHeaderSize = 16
  static let blockHeaderSize = 64
  static let blockStreamSize = 8
  static let footerHeaderSize = 32
  static let trailerSize = 24
  static let liveSize = 4096
  static let liveSlotsStart = 128
  static let liveSlots = (liveSize - liveSlotsStart) / 8

  /// A tail's times count from this long before it was begun, so that the system's clock may be
  /// set back by as much: 2^38 microseconds, about three days, of the twelve that 40 bits hold.
  static let timeSlack: UInt64 = 1 << 38
}

/// Extends a checksum.
@inline(__always)
func checksum(_ seed: UInt32, _ bytes: UnsafeRawBufferPointer) -> UInt32 {
  al_crc32c(seed, bytes.baseAddress, bytes.count)
}

func checksum(_ seed: UInt32, _ bytes: ArraySlice<UInt8>) -> UInt32 {
  bytes.withUnsafeBytes { checksum(seed, $0) }
}

/// What every checksum of a file starts from: a number of the file's own, so that bytes left by
/// another file, or by an earlier use of this one, never pass.
func seed(of salt: UInt64) -> UInt32 {
  withUnsafeBytes(of: salt.littleEndian) { checksum(0, $0) }
}

/// The names of a log's files.
enum FileName {
  static let lock = "lock"
  static let live = "live"
  static let quarantine = "quarantine"

  static func segment(_ first: UInt64) -> String {
    "\(padded(first, 20)).segment"
  }

  static func tail(_ ordinal: UInt32) -> String {
    "\(padded(UInt64(ordinal), 10)).tail"
  }

  static func copy(_ ordinal: UInt32) -> String {
    "\(padded(UInt64(ordinal), 10)).copy"
  }

  /// A segment that is being packed again, and takes the place of the one of that number.
  static func packing(_ first: UInt64) -> String {
    "\(padded(first, 20)).packing"
  }

  static func packingNumber(_ name: String) -> UInt64? {
    number(name, suffix: ".packing", digits: 20)
  }

  static func segmentNumber(_ name: String) -> UInt64? {
    number(name, suffix: ".segment", digits: 20)
  }

  static func tailNumber(_ name: String) -> UInt32? {
    number(name, suffix: ".tail", digits: 10).flatMap { UInt32(exactly: $0) }
  }

  static func copyNumber(_ name: String) -> UInt32? {
    number(name, suffix: ".copy", digits: 10).flatMap { UInt32(exactly: $0) }
  }

  /// Whether a log may have a file of this name.
  static func isOfLog(_ name: String) -> Bool {
    name == lock || name == live || name == quarantine || segmentNumber(name) != nil
      || tailNumber(name) != nil || copyNumber(name) != nil || packingNumber(name) != nil
  }

  private static func padded(_ number: UInt64, _ digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }

  private static func number(_ name: String, suffix: String, digits: Int) -> UInt64? {
    guard name.hasSuffix(suffix) else { return nil }
    let stem = name.dropLast(suffix.count)
    guard stem.utf8.count == digits, stem.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else {
      return nil
    }
    return UInt64(stem)
  }
}

/// `directory` and `name` as one path.
func join(_ directory: String, _ name: String) -> String {
  directory.hasSuffix("/") ? directory + name : directory + "/" + name
}

/// The directory that a path lies in.
func parent(of path: String) -> String {
  var path = Substring(path)
  while path.count > 1, path.hasSuffix("/") { path = path.dropLast() }
  guard let slash = path.lastIndex(of: "/") else { return "." }
  return slash == path.startIndex ? "/" : String(path[..<slash])
}
