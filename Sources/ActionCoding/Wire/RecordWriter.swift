/// A cursor over memory into which values are written.
///
/// It neither owns the memory nor grows it: when it is full, ``RecordOverflow/space`` is thrown, and
/// the caller brings more and starts the value again. It must not be used after the memory is gone.
@frozen
public struct RecordWriter {
  /// How deeply a value may be nested: a reader refuses more, since hostile bytes would otherwise
  /// exhaust its stack, and so a writer refuses it too.
  @inlinable
  public static var depthLimit: Int { 256 }

  @usableFromInline var cursor: UnsafeMutableRawPointer
  @usableFromInline let start: UnsafeMutableRawPointer
  @usableFromInline let end: UnsafeMutableRawPointer
  @usableFromInline var depth: Int

  /// A writer at the beginning of `memory`, which stays the caller's.
  @inlinable
  public init(_ memory: UnsafeMutableRawBufferPointer) {
    // Memory of no bytes may have no address. The stand-in is never written to.
    start = memory.baseAddress ?? UnsafeMutableRawPointer(bitPattern: 16).unsafelyUnwrapped
    cursor = start
    end = start + memory.count
    depth = 0
  }

  /// How many bytes have been written.
  @inlinable
  public var count: Int { cursor - start }

  /// How many bytes can still be written.
  @inlinable
  public var remaining: Int { end - cursor }

  /// Opens a level of nesting.
  ///
  /// ``ascend()`` closes it.
  @inlinable
  public mutating func descend() throws(RecordOverflow) {
    depth &+= 1
    guard depth <= Self.depthLimit else { throw tooDeep() }
  }

  /// Closes the level that the last ``descend()`` opened.
  @inlinable
  public mutating func ascend() {
    depth &-= 1
  }

  // MARK: - Bytes and numbers

  /// Writes one byte.
  @inlinable
  public mutating func put(byte: UInt8) throws(RecordOverflow) {
    guard cursor < end else { throw full() }
    cursor.storeBytes(of: byte, as: UInt8.self)
    cursor += 1
  }

  /// Writes an integer as it lies in memory, little-endian, unaligned.
  @inlinable
  public mutating func put<T: FixedWidthInteger & BitwiseCopyable>(
    fixed value: T
  ) throws(RecordOverflow) {
    guard remaining >= MemoryLayout<T>.size else { throw full() }
    cursor.storeBytes(of: value.littleEndian, as: T.self)
    cursor += MemoryLayout<T>.size
  }

  /// Writes an unsigned number, seven bits a byte, the lowest first: 1 to 10 bytes.
  @inlinable
  public mutating func put(varint value: UInt64) throws(RecordOverflow) {
    if value < 0x80 {
      guard cursor < end else { throw full() }
      cursor.storeBytes(of: UInt8(truncatingIfNeeded: value), as: UInt8.self)
      cursor += 1
    } else {
      try putLong(varint: value)
    }
  }

  @inlinable
  mutating func putLong(varint value: UInt64) throws(RecordOverflow) {
    var rest = value
    // One check for all bytes: at most ten, and fewer only where the memory ends.
    let size = (70 &- (value | 1).leadingZeroBitCount) / 7
    guard remaining >= size else { throw full() }
    while rest >= 0x80 {
      cursor.storeBytes(of: UInt8(truncatingIfNeeded: rest) | 0x80, as: UInt8.self)
      cursor += 1
      rest >>= 7
    }
    cursor.storeBytes(of: UInt8(truncatingIfNeeded: rest), as: UInt8.self)
    cursor += 1
  }

  /// Writes a signed number so that small ones are short, whatever their sign (zigzag).
  @inlinable
  public mutating func put(signed value: Int64) throws(RecordOverflow) {
    try put(varint: UInt64(bitPattern: (value << 1) ^ (value >> 63)))
  }

  /// Writes bytes without their count.
  @inlinable
  public mutating func put(raw bytes: UnsafeRawBufferPointer) throws(RecordOverflow) {
    guard remaining >= bytes.count else { throw full() }
    if let source = bytes.baseAddress {
      cursor.copyMemory(from: source, byteCount: bytes.count)
      cursor += bytes.count
    }
  }

  /// Writes the count of bytes, and the bytes.
  @inlinable
  public mutating func put(counted bytes: UnsafeRawBufferPointer) throws(RecordOverflow) {
    try put(varint: UInt64(bytes.count))
    try put(raw: bytes)
  }

  /// Writes a string as the count of its UTF-8 bytes, and these.
  @inlinable
  public mutating func put(string: String) throws(RecordOverflow) {
    let result = string.utf8.withContiguousStorageIfAvailable { bytes -> Bool in
      store(UnsafeRawBufferPointer(bytes))
    }
    guard let result else { return try put(scattered: string) }
    guard result else { throw full() }
  }

  /// Writes a string that does not lie in memory as UTF-8, which none does on Linux.
  @usableFromInline
  mutating func put(scattered string: String) throws(RecordOverflow) {
    let bytes = Array(string.utf8)
    try bytes.span.withUnsafeBytes { (buffer) throws(RecordOverflow) in try put(counted: buffer) }
  }

  /// Writes the count of bytes, and the bytes, unless there is no room for them.
  @inlinable
  mutating func store(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let count = bytes.count
    if count < 0x80 {
      guard remaining > count else { return false }
      cursor.storeBytes(of: UInt8(truncatingIfNeeded: count), as: UInt8.self)
      cursor += 1
    } else {
      do throws(RecordOverflow) { try putLong(varint: UInt64(count)) } catch { return false }
      guard remaining >= count else { return false }
    }
    if let source = bytes.baseAddress {
      cursor.copyMemory(from: source, byteCount: count)
      cursor += count
    }
    return true
  }
}

// MARK: - Errors

// Apart, so that what is inlined stays small.
extension RecordWriter {
  @usableFromInline
  @inline(never)
  func full() -> RecordOverflow { .space }

  @usableFromInline
  @inline(never)
  func tooDeep() -> RecordOverflow { .depth }
}

// MARK: - Into new memory

extension RecordWriter {
  /// The largest value that ``bytes(writing:)`` writes, in bytes: whoever needs more has lost count.
  public static let growthLimit = 1 << 30

  /// What `write` writes, in memory that grows as needed.
  ///
  /// `write` is called again from the start each time that the memory was too small. Throws
  /// ``RecordOverflow/depth`` where the value is nested too deeply, and ``RecordOverflow/space``
  /// where it is larger than ``growthLimit``.
  public static func bytes(
    writing write: (inout RecordWriter) throws(RecordOverflow) -> Void
  ) throws(RecordOverflow) -> [UInt8] {
    var capacity = 512
    while true {
      var overflow: RecordOverflow?
      let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
        var writer = RecordWriter(UnsafeMutableRawBufferPointer(buffer))
        do throws(RecordOverflow) {
          try write(&writer)
          count = writer.count
        } catch {
          overflow = error
          count = 0
        }
      }
      guard let overflow else { return bytes }
      guard overflow == .space, capacity < growthLimit else { throw overflow }
      capacity *= 4
    }
  }

  /// The bytes of a value.
  public static func bytes(of value: some Recordable) throws(RecordOverflow) -> [UInt8] {
    try bytes { (writer) throws(RecordOverflow) in try value.encode(to: &writer) }
  }
}
