internal import CActionLog

extension [UInt8] {
  func number(_ at: Int, _ size: Int) -> UInt64 {
    var value: UInt64 = 0
    for index in 0..<size where at + index < count {
      value |= UInt64(self[at + index]) << UInt64(8 * index)
    }
    return value
  }

  mutating func set(_ at: Int, _ size: Int, _ value: UInt64) {
    for index in 0..<size where at + index < count {
      self[at + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * index))
    }
  }

  mutating func append(_ size: Int, _ value: UInt64) {
    for index in 0..<size { append(UInt8(truncatingIfNeeded: value >> UInt64(8 * index))) }
  }

  /// The checksum of a part, extended from `seed`.
  func checksum(_ seed: UInt32, _ range: Range<Int>) -> UInt32 {
    withUnsafeBytes { bytes in
      al_crc32c(seed, UnsafeRawBufferPointer(rebasing: bytes[range]).baseAddress, range.count)
    }
  }
}
