/// A cursor over bytes from which values are read.
///
/// The bytes may be anything: whatever they hold, reading ends in a value or in a
/// ``RecordDecodingError``, with memory, time and depth bounded by their count. It does not own
/// them, and must not be used after they are gone.
@frozen
public struct RecordReader {
  @usableFromInline var cursor: UnsafeRawPointer
  @usableFromInline let start: UnsafeRawPointer
  @usableFromInline let end: UnsafeRawPointer
  @usableFromInline var depth: Int
  /// How many placeholders the bytes are in; 0 where they are a value that was recorded.
  @usableFromInline var placeholders: Int

  /// A reader at the beginning of `bytes`, which stay the caller's.
  @inlinable
  public init(_ bytes: UnsafeRawBufferPointer) {
    // No bytes may have no address. The stand-in is never read.
    placeholders = 0
    start = bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 16).unsafelyUnwrapped
    cursor = start
    end = start + bytes.count
    depth = 0
  }

  /// How many bytes have been read.
  @inlinable
  public var offset: Int { cursor - start }

  /// How many bytes are left.
  @inlinable
  public var remaining: Int { end - cursor }

  /// Opens a level of nesting.
  ///
  /// ``ascend()`` closes it, unless an error ends the reading.
  @inlinable
  public mutating func descend() throws(RecordDecodingError) {
    depth &+= 1
    guard depth <= RecordWriter.depthLimit else { throw tooDeep() }
  }

  /// Closes the level that the last ``descend()`` opened.
  @inlinable
  public mutating func ascend() {
    depth &-= 1
  }

  /// Throws unless every byte has been read.
  @inlinable
  public func finish() throws(RecordDecodingError) {
    guard cursor == end else { throw unread() }
  }

  // MARK: - Bytes and numbers

  /// Reads one byte.
  @inlinable
  public mutating func getByte() throws(RecordDecodingError) -> UInt8 {
    guard cursor < end else { throw ended() }
    let byte = cursor.load(as: UInt8.self)
    cursor += 1
    return byte
  }

  /// Reads an integer of fixed width, little-endian, unaligned.
  @inlinable
  public mutating func getFixed<T: FixedWidthInteger & BitwiseCopyable>(
    _ type: T.Type = T.self
  ) throws(RecordDecodingError) -> T {
    guard remaining >= MemoryLayout<T>.size else { throw ended() }
    let value = cursor.loadUnaligned(as: T.self)
    cursor += MemoryLayout<T>.size
    return T(littleEndian: value)
  }

  /// Reads an unsigned number of 1 to 10 bytes.
  @inlinable
  public mutating func getVarint() throws(RecordDecodingError) -> UInt64 {
    guard cursor < end else { throw ended() }
    let byte = cursor.load(as: UInt8.self)
    cursor += 1
    if byte < 0x80 { return UInt64(byte) }
    if cursor < end {
      let second = cursor.load(as: UInt8.self)
      // A last byte of zero would be a second form of a shorter number.
      if second < 0x80, second != 0 {
        cursor += 1
        return UInt64(byte & 0x7f) | UInt64(second) &<< 7
      }
    }
    let value: UInt64
    (value, cursor) = try longVarint(first: byte)
    return value
  }

  /// The number that begins with a byte that was read, and the place behind it.
  ///
  /// It changes nothing, so that whoever reads a number can keep the reader in registers.
  @usableFromInline
  @inline(never)
  func longVarint(
    first: UInt8
  ) throws(RecordDecodingError) -> (value: UInt64, cursor: UnsafeRawPointer) {
    var reader = self
    var value = UInt64(first & 0x7f)
    var shift: UInt64 = 7
    while true {
      let byte = try reader.getByte()
      // The tenth byte has room for one bit.
      guard shift < 63 || byte <= 1 else { throw reader.badNumber() }
      value |= UInt64(byte & 0x7f) &<< shift
      if byte < 0x80 {
        // A last byte of zero would be a second form of a shorter number.
        guard byte != 0 else { throw reader.badNumber() }
        return (value, reader.cursor)
      }
      shift &+= 7
    }
  }

  /// Reads a signed number.
  @inlinable
  public mutating func getSigned() throws(RecordDecodingError) -> Int64 {
    let value = try getVarint()
    return Int64(bitPattern: (value >> 1) ^ (0 &- (value & 1)))
  }

  /// Reads a count of things that take at least one byte each: no more than there are bytes left.
  @inlinable
  public mutating func getCount() throws(RecordDecodingError) -> Int {
    let count = try getVarint()
    guard count <= UInt64(remaining) else { throw badCount(count) }
    return Int(truncatingIfNeeded: count)
  }

  /// Reads as many bytes as the count before them says.
  ///
  /// They are only there while the reader is.
  @inlinable
  public mutating func getCounted() throws(RecordDecodingError) -> UnsafeRawBufferPointer {
    let count = try getCount()
    let bytes = UnsafeRawBufferPointer(start: cursor, count: count)
    cursor += count
    return bytes
  }

  /// Passes over bytes.
  @inlinable
  public mutating func skip(_ count: Int) throws(RecordDecodingError) {
    guard count >= 0, count <= remaining else { throw ended() }
    cursor += count
  }

  /// Reads a string: the count of its UTF-8 bytes, and these.
  @inlinable
  public mutating func getString() throws(RecordDecodingError) -> String {
    let bytes = try getCounted()
    do {
      // The fastest of the ways to make a string of bytes that may be anything.
      return String(copying: try UTF8Span(validating: bytes.bindMemory(to: UInt8.self).span))
    } catch {
      throw badString(bytes.count)
    }
  }

  /// Reads an enum's case.
  @inlinable
  public mutating func getCase() throws(RecordDecodingError) -> UInt64 {
    try getVarint()
  }
}

// MARK: - Errors

// Apart, so that what is inlined stays small.
extension RecordReader {
  /// An error at the reader's position.
  public func error(_ message: String) -> RecordDecodingError {
    RecordDecodingError(message, offset: offset)
  }

  /// The error of an enum's case that its type does not have.
  public func unknownCase(_ index: UInt64, of type: String) -> RecordDecodingError {
    error("'\(type)' has no case number \(index).")
  }

  @usableFromInline
  func ended() -> RecordDecodingError {
    error("The record ends in the middle of a value.")
  }

  @usableFromInline
  func unread() -> RecordDecodingError {
    error("The value ends here, but \(remaining) more bytes follow.")
  }

  @usableFromInline
  func badNumber() -> RecordDecodingError {
    error("A number is not written in its shortest form, or has more than 64 bits.")
  }

  @usableFromInline
  func badCount(_ count: UInt64) -> RecordDecodingError {
    error("A count of \(count) is more than the \(remaining) bytes that follow.")
  }

  @usableFromInline
  func badString(_ count: Int) -> RecordDecodingError {
    error("A string of \(count) bytes is not UTF-8.")
  }

  @usableFromInline
  func tooDeep() -> RecordDecodingError {
    error("Values are nested deeper than the \(RecordWriter.depthLimit) levels allowed.")
  }

  @usableFromInline
  func outOfRange(_ value: String, _ type: String) -> RecordDecodingError {
    error("The number \(value) does not fit into '\(type)'.")
  }
}
