// Little-endian numbers and variable-length ones, as the format uses them. Every reading is
// checked by its caller against the size of the buffer, or returns nil.

extension UnsafeRawBufferPointer {
  @inline(__always)
  func number<T: FixedWidthInteger>(_ type: T.Type, at offset: Int) -> T {
    T(littleEndian: loadUnaligned(fromByteOffset: offset, as: T.self))
  }

  @inline(__always)
  func part(_ offset: Int, _ count: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: self[offset..<offset + count])
  }
}

extension [UInt8] {
  mutating func put<T: FixedWidthInteger>(_ value: T) {
    Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
  }

  mutating func set<T: FixedWidthInteger>(_ value: T, at offset: Int) {
    Swift.withUnsafeBytes(of: value.littleEndian) { bytes in
      for index in 0..<bytes.count { self[offset + index] = bytes[index] }
    }
  }

  /// Seven bits a byte, the low ones first; the top bit says that more follow.
  @inline(__always)
  mutating func putVarint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }
}

/// Small magnitudes of either sign as small numbers: 0, -1, 1 and -2 become 0, 1, 2 and 3.
@inline(__always)
func zigzag(_ value: Int64) -> UInt64 {
  UInt64(bitPattern: (value << 1) ^ (value >> 63))
}

@inline(__always)
func unzigzag(_ value: UInt64) -> Int64 {
  Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
}

/// Reads a varint of at most ten bytes; nil when it is cut off or too large for 64 bits.
@inline(__always)
func takeVarint(_ bytes: UnsafeRawBufferPointer, _ offset: inout Int) -> UInt64? {
  guard offset < bytes.count else { return nil }
  let first = bytes[offset]
  offset += 1
  if first < 0x80 { return UInt64(first) }
  var value = UInt64(first & 0x7f)
  var shift: UInt64 = 7
  while offset < bytes.count {
    let byte = bytes[offset]
    offset += 1
    if shift == 63 && byte > 1 { return nil }
    value |= UInt64(byte & 0x7f) << shift
    if byte < 0x80 { return value }
    shift += 7
    if shift > 63 { return nil }
  }
  return nil
}
