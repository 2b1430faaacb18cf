// The headers of segments and tails. Each is written twice in a row; either copy will do.

/// What was found where a header should be.
enum HeaderFinding<Header> {
  /// `whole` is false when one of the two copies is damaged.
  case header(Header, whole: Bool)
  /// The file was reserved and never begun.
  case unused
  /// A tail that was let go: what it held is elsewhere, or lost on purpose.
  case letGo
  /// A version or a feature that this version of the format does not know.
  case newer(String)
  case damaged
}

struct SegmentHeader: Hashable, Sendable {
  struct Flags: OptionSet, Hashable, Sendable {
    var rawValue: UInt32
    /// The first segment of a run.
    static let startsRun = Self(rawValue: 1)
    /// Made by recovery from what a run left in its tails.
    static let recovered = Self(rawValue: 2)
    /// Blocks that restate what is needed to replay it by itself stand before the others.
    static let preamble = Self(rawValue: 4)
    /// That preamble is complete: nothing before the segment is needed to replay from here.
    static let complete = Self(rawValue: 8)
    /// Its blocks were packed again, thoroughly.
    static let repacked = Self(rawValue: 16)
  }

  var compatible: UInt32 = 0
  var readOnlyCompatible: UInt32 = 0
  var incompatible: UInt32 = 0
  var salt: UInt64
  var firstSequence: UInt64
  var run: UInt32
  var flags: Flags
  /// Microseconds since 1970.
  var created: UInt64
  /// Every record up to this one was durable when the segment was made.
  var durable: UInt64
  /// Records that were never written, right before this segment's first.
  var gap: Gap?

  /// The gap before a segment: writing did not work, or what had been written was lost.
  struct Gap: Hashable, Sendable {
    /// The first record that is missing; the last stands before the segment's first.
    var first: UInt64
    /// The system's error number, 0 when it is not known.
    var cause: Int32
  }

  /// Whether everything from its first record on can be replayed without what is before it.
  var standsAlone: Bool { flags.contains(.startsRun) || flags.contains(.complete) }

  /// Whether its numbers can be those of a segment.
  var isPossible: Bool {
    firstSequence > 0 && firstSequence <= Format.maximumSequence && run > 0
      && run <= Format.maximumRun && created <= Format.maximumTime
  }

  func encoded() -> [UInt8] {
    var bytes = Format.segmentMagic
    bytes.put(Format.version)
    bytes.put(UInt16(Format.segmentHeaderSize))
    bytes.put(compatible)
    bytes.put(readOnlyCompatible)
    bytes.put(incompatible)
    bytes.put(salt)
    bytes.put(firstSequence)
    bytes.put(run)
    bytes.put(flags.rawValue)
    bytes.put(created)
    bytes.put(durable)
    bytes.put(gap?.first ?? 0)
    bytes.put(UInt32(bitPattern: gap?.cause ?? 0))
    bytes.append(contentsOf: repeatElement(0, count: Format.segmentHeaderSize - 4 - bytes.count))
    bytes.put(checksum(0, bytes[...]))
    return bytes + bytes
  }

  static func find(in bytes: UnsafeRawBufferPointer) -> HeaderFinding<SegmentHeader> {
    findTwice(
      in: bytes, size: Format.segmentHeaderSize, magic: Format.segmentMagic, features: 20,
      isPossible: \.isPossible
    ) { bytes in
      SegmentHeader(
        compatible: bytes.number(UInt32.self, at: 12),
        readOnlyCompatible: bytes.number(UInt32.self, at: 16),
        incompatible: bytes.number(UInt32.self, at: 20),
        salt: bytes.number(UInt64.self, at: 24),
        firstSequence: bytes.number(UInt64.self, at: 32),
        run: bytes.number(UInt32.self, at: 40),
        flags: Flags(rawValue: bytes.number(UInt32.self, at: 44)),
        created: bytes.number(UInt64.self, at: 48),
        durable: bytes.number(UInt64.self, at: 56), gap: gap(in: bytes))
    }
  }

  private static func gap(in bytes: UnsafeRawBufferPointer) -> Gap? {
    let first = bytes.number(UInt64.self, at: 64)
    guard first > 0, first < bytes.number(UInt64.self, at: 32) else { return nil }
    return Gap(first: first, cause: Int32(bitPattern: bytes.number(UInt32.self, at: 72)))
  }
}

struct TailHeader: Hashable, Sendable {
  var incompatible: UInt32 = 0
  var salt: UInt64
  var firstSequence: UInt64
  /// What the frames' times count from, in microseconds since 1970.
  var baseTime: UInt64
  var run: UInt32
  var ordinal: UInt32
  /// Every record up to this one was durable when the tail was begun; 0 says nothing.
  var durable: UInt64 = 0

  /// Whether its numbers can be those of a tail.
  var isPossible: Bool {
    firstSequence > 0 && firstSequence <= Format.maximumSequence && run > 0
      && run <= Format.maximumRun && baseTime <= Format.maximumTime
  }

  func encoded() -> [UInt8] {
    var bytes = Format.tailMagic
    bytes.put(Format.version)
    bytes.put(UInt16(Format.tailHeaderSize))
    bytes.put(incompatible)
    bytes.put(salt)
    bytes.put(firstSequence)
    bytes.put(baseTime)
    bytes.put(run)
    bytes.put(ordinal)
    bytes.put(durable)
    bytes.append(contentsOf: repeatElement(0, count: Format.tailHeaderSize - 4 - bytes.count))
    bytes.put(checksum(0, bytes[...]))
    return bytes + bytes
  }

  /// What stands in the place of both headers of a tail that was let go and is not begun again.
  static var letGo: [UInt8] {
    let half =
      Format.freeMagic
      + [UInt8](repeating: 0, count: Format.tailHeaderSize - Format.freeMagic.count)
    return half + half
  }

  static func find(in bytes: UnsafeRawBufferPointer) -> HeaderFinding<TailHeader> {
    let isFree = stride(from: 0, to: 2 * Format.tailHeaderSize, by: Format.tailHeaderSize).contains
    {
      bytes.count >= $0 + 8 && bytes.part($0, 8).elementsEqual(Format.freeMagic)
    }
    if isFree { return .letGo }
    return findTwice(
      in: bytes, size: Format.tailHeaderSize, magic: Format.tailMagic, features: 12,
      isPossible: \.isPossible
    ) { bytes in
      TailHeader(
        incompatible: bytes.number(UInt32.self, at: 12),
        salt: bytes.number(UInt64.self, at: 16),
        firstSequence: bytes.number(UInt64.self, at: 24),
        baseTime: bytes.number(UInt64.self, at: 32),
        run: bytes.number(UInt32.self, at: 40),
        ordinal: bytes.number(UInt32.self, at: 44),
        durable: bytes.number(UInt64.self, at: 48))
    }
  }
}

/// Looks for a header that stands twice from the start of `bytes`.
///
/// A header whose checksum is right is believed, its version included, unless it says what cannot
/// be: then it is as damaged as one whose checksum is wrong. When neither is right and
/// both name the same other version, a later version of the format may have moved the checksum.
private func findTwice<Header>(
  in bytes: UnsafeRawBufferPointer, size: Int, magic: [UInt8], features: Int,
  isPossible: (Header) -> Bool, read: (UnsafeRawBufferPointer) -> Header
) -> HeaderFinding<Header> {
  let present = bytes.count >= 2 * size ? 2 : bytes.count / size
  let all = bytes.count < 2 * size ? bytes : bytes.part(0, 2 * size)
  if all.allSatisfy({ $0 == 0 }) { return .unused }
  var good: [UnsafeRawBufferPointer] = []
  var versions: [UInt16] = []
  for index in 0..<present {
    let copy = bytes.part(index * size, size)
    guard copy.part(0, 8).elementsEqual(magic) else { continue }
    versions.append(copy.number(UInt16.self, at: 8))
    guard checksum(0, copy.part(0, size - 4)) == copy.number(UInt32.self, at: size - 4) else {
      continue
    }
    good.append(copy)
  }
  if let copy = good.first {
    let version = copy.number(UInt16.self, at: 8)
    // There was no version before the first.
    if version < Format.version { return .damaged }
    if version > Format.version { return .newer("version \(version) of the format") }
    let unknown = copy.number(UInt32.self, at: features) & ~Format.knownIncompatible
    if unknown != 0 {
      return .newer("feature bits 0x\(String(unknown, radix: 16)) of the format")
    }
    let agree = good.count == 2 && good[0].elementsEqual(good[1])
    guard let header = good.lazy.map(read).first(where: isPossible) else { return .damaged }
    return .header(header, whole: agree)
  }
  if let version = versions.first, version > Format.version,
    versions.allSatisfy({ $0 == version }), versions.count == present
  {
    return .newer("version \(version) of the format")
  }
  return .damaged
}
