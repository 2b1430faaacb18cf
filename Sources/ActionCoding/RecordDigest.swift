/// A number that stands for bytes: equal bytes have equal digests, in every process and for ever.
///
/// XXH64 with the seed 0, as specified at
/// https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md. Different bytes have the same
/// digest once in 2⁶⁴ times: it tells states apart, not forgers.
public struct RecordDigest: Hashable, Sendable {
  public let value: UInt64

  public init(value: UInt64) { self.value = value }

  /// The digest of bytes.
  public init(of bytes: UnsafeRawBufferPointer) { self.init(of: bytes, seed: 0) }

  /// The digest of bytes.
  public init(of bytes: [UInt8]) {
    self = bytes.span.withUnsafeBytes { RecordDigest(of: $0) }
  }

  init(of bytes: UnsafeRawBufferPointer, seed: UInt64) {
    var hash: UInt64
    var offset = 0
    if bytes.count >= 32 {
      var lanes = (
        seed &+ Self.prime1 &+ Self.prime2, seed &+ Self.prime2, seed, seed &- Self.prime1
      )
      while offset <= bytes.count - 32 {
        lanes.0 = Self.round(lanes.0, Self.word(bytes, offset))
        lanes.1 = Self.round(lanes.1, Self.word(bytes, offset + 8))
        lanes.2 = Self.round(lanes.2, Self.word(bytes, offset + 16))
        lanes.3 = Self.round(lanes.3, Self.word(bytes, offset + 24))
        offset += 32
      }
      hash =
        Self.rotate(lanes.0, 1) &+ Self.rotate(lanes.1, 7) &+ Self.rotate(lanes.2, 12)
        &+ Self.rotate(lanes.3, 18)
      hash = Self.merge(hash, lanes.0)
      hash = Self.merge(hash, lanes.1)
      hash = Self.merge(hash, lanes.2)
      hash = Self.merge(hash, lanes.3)
    } else {
      hash = seed &+ Self.prime5
    }
    hash &+= UInt64(bytes.count)
    while offset <= bytes.count - 8 {
      hash ^= Self.round(0, Self.word(bytes, offset))
      hash = Self.rotate(hash, 27) &* Self.prime1 &+ Self.prime4
      offset += 8
    }
    if offset <= bytes.count - 4 {
      let half = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
      hash ^= UInt64(half) &* Self.prime1
      hash = Self.rotate(hash, 23) &* Self.prime2 &+ Self.prime3
      offset += 4
    }
    while offset < bytes.count {
      hash ^= UInt64(bytes[offset]) &* Self.prime5
      hash = Self.rotate(hash, 11) &* Self.prime1
      offset += 1
    }
    hash = (hash ^ (hash >> 33)) &* Self.prime2
    hash = (hash ^ (hash >> 29)) &* Self.prime3
    self.value = hash ^ (hash >> 32)
  }

  private static let prime1: UInt64 = 0x9e37_79b1_85eb_ca87
  private static let prime2: UInt64 = 0xc2b2_ae3d_27d4_eb4f
  private static let prime3: UInt64 = 0x1656_67b1_9e37_79f9
  private static let prime4: UInt64 = 0x85eb_ca77_c2b2_ae63
  private static let prime5: UInt64 = 0x27d4_eb2f_1656_67c5

  private static func rotate(_ value: UInt64, _ count: UInt64) -> UInt64 {
    (value &<< count) | (value &>> (64 &- count))
  }

  private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  private static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
    self.rotate(lane &+ word &* self.prime2, 31) &* self.prime1
  }

  private static func merge(_ hash: UInt64, _ lane: UInt64) -> UInt64 {
    (hash ^ self.round(0, lane)) &* self.prime1 &+ self.prime4
  }
}

extension RecordDigest: CustomStringConvertible {
  /// Sixteen hexadecimal digits.
  public var description: String {
    let digits = String(self.value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
