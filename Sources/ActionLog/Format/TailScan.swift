internal import CActionLog

/// A record as it stands in a tail.
struct TailFrame {
  var offset: Int
  var kind: UInt8
  var stream: UInt16
  var time: UInt64
  var body: UnsafeRawBufferPointer

  /// What a frame takes with its padding.
  static func size(_ bodyCount: Int) -> Int {
    Format.frameHeaderSize + (bodyCount + 7) & ~7
  }
}

/// Reads a file in order through one buffer, which grows to the largest part asked for.
struct FileWindow {
  let file: any OpenFile
  private var buffer: [UInt8] = []
  private var start = 0
  private var filled = 0
  private let leastRead: Int

  /// A window that reads at least so many bytes at a time.
  init(_ file: any OpenFile, leastRead: Int = 64 << 10) {
    self.file = file
    self.leastRead = leastRead
  }

  /// Makes sure that up to `count` bytes from `offset` are in the buffer, and returns how many are.
  mutating func load(_ offset: Int, _ count: Int) throws(FileError) -> Int {
    if offset >= start && offset + count <= start + filled { return count }
    var size = max(count, leastRead)
    if buffer.count < size {
      // No memory for a length that is longer than the file.
      size = min(size, max(0, Int(clamping: try file.size()) - offset))
    }
    if buffer.count < size {
      buffer = try file.readBytes(size, at: UInt64(offset))
      filled = buffer.count
    } else {
      filled = try fill(size, from: offset)
    }
    start = offset
    return min(count, filled)
  }

  /// Reads into the buffer that is there.
  private mutating func fill(_ size: Int, from offset: Int) throws(FileError) -> Int {
    var failure: FileError?
    let file = file
    let got = buffer.withUnsafeMutableBytes { bytes -> Int in
      do throws(FileError) {
        let part = UnsafeMutableRawBufferPointer(rebasing: bytes[..<size])
        return try file.readFully(into: part, at: UInt64(offset))
      } catch {
        failure = error
        return 0
      }
    }
    if let failure { throw failure }
    return got
  }

  /// Whether anything but zeros stands from `start` on.
  mutating func hasContent(from start: Int) throws(FileError) -> Bool {
    var at = start
    while true {
      let count = try load(at, 32 << 10)
      if count == 0 { return false }
      if with(at, count, { $0.contains { $0 != 0 } }) { return true }
      at += count
    }
  }

  /// Lends bytes that `load` brought in.
  func with<R>(_ offset: Int, _ count: Int, _ body: (UnsafeRawBufferPointer) -> R) -> R {
    buffer.withUnsafeBytes { body($0.part(offset - start, count)) }
  }
}

/// The longest valid prefix of a tail or of its copy.
struct TailScan {
  /// What stands behind the prefix.
  enum Remains: Hashable, Sendable {
    /// Nothing, or what an interrupted encoder left within its window.
    case nothing
    /// What an encoder left that was cut short in a long record.
    case torn
    /// A record that was published, and is not what was written.
    case damaged
  }

  let header: TailHeader
  let isHeaderWhole: Bool
  private(set) var window: FileWindow
  private(set) var offset = Format.tailStart
  private(set) var nextSequence: UInt64
  /// What the last sync mark says: every record up to this one was durable. 0 when there is none.
  ///
  /// `remains` looks for marks behind the prefix, too.
  private(set) var durable: UInt64
  private let seed: UInt32

  /// Begins at the first frame; nil with the finding when the header is none that can be read.
  static func begin(_ file: any OpenFile) throws(FileError) -> (
    TailScan?, HeaderFinding<TailHeader>
  ) {
    var window = FileWindow(file)
    let count = try window.load(0, Format.tailStart)
    let finding = window.with(0, count) { TailHeader.find(in: $0) }
    guard case .header(let header, let whole) = finding else { return (nil, finding) }
    return (TailScan(header: header, whole: whole, window: window), finding)
  }

  private init(header: TailHeader, whole: Bool, window: FileWindow) {
    self.header = header
    self.isHeaderWhole = whole
    self.window = window
    self.nextSequence = header.firstSequence
    self.durable = header.durable < header.firstSequence ? header.durable : 0
    self.seed = ActionLog.seed(of: header.salt)
  }

  /// Goes on from a frame that an earlier scan reached.
  mutating func resume(at offset: Int, sequence: UInt64) {
    self.offset = offset
    self.nextSequence = sequence
  }

  /// Calls `body` with the next record and steps behind it; false at the end of the prefix.
  mutating func next(_ body: (UInt64, TailFrame) -> Void) throws(FileError) -> Bool {
    while true {
      guard try window.load(offset, Format.frameHeaderSize) == Format.frameHeaderSize else {
        return false
      }
      let (length, check, meta) = window.with(offset, Format.frameHeaderSize) { bytes in
        (
          Int(bytes.number(UInt32.self, at: 0)), bytes.number(UInt32.self, at: 4),
          bytes.number(UInt64.self, at: 8)
        )
      }
      guard length >= Format.frameHeaderSize,
        length <= Format.frameHeaderSize + Format.maximumPayload
      else { return false }
      let bodyCount = length - Format.frameHeaderSize
      let kind = UInt8(truncatingIfNeeded: meta)
      if kind == 0 {
        // A skip: its body is whatever an encoder left there.
        guard al_frame_crc(seed, UInt32(length), meta, nil, 0) == check else { return false }
        noteMark(meta)
        offset += TailFrame.size(bodyCount)
        continue
      }
      let padded = (bodyCount + 7) & ~7
      let whole = Format.frameHeaderSize + padded
      guard try window.load(offset, whole) == whole else { return false }
      let at = offset
      let base = header.baseTime
      let sequence = nextSequence
      let isGood = window.with(at, whole) { bytes -> Bool in
        let content = bytes.part(Format.frameHeaderSize, bodyCount)
        let found = al_frame_crc(seed, UInt32(length), meta, content.baseAddress, padded)
        guard found == check else { return false }
        let stream = UInt16(truncatingIfNeeded: meta >> 8)
        body(
          sequence,
          TailFrame(
            offset: at, kind: kind, stream: stream, time: base &+ meta >> 24, body: content))
        return true
      }
      guard isGood else { return false }
      offset += TailFrame.size(bodyCount)
      nextSequence += 1
      return true
    }
  }

  /// Takes what a skip says if it is a sync mark.
  private mutating func noteMark(_ meta: UInt64) {
    guard UInt16(truncatingIfNeeded: meta >> 8) == UInt16(AL_MARK_STREAM), meta >> 24 > 0 else {
      return
    }
    // 40 bits more than a first sequence never overflow.
    durable = max(durable, header.firstSequence + meta >> 24 - 1)
  }

  /// Looks at what stands behind the prefix, once `next` has returned false.
  mutating func remains() throws(FileError) -> Remains {
    let count = try window.load(offset, Format.frameHeaderSize)
    // The length is stored last, when the record is whole.
    let hasLength = count >= 4 && window.with(offset, 4) { $0.number(UInt32.self, at: 0) } != 0
    guard try hasContent(from: offset) else { return .nothing }
    if try hasRecord(behind: offset) || hasLength { return .damaged }
    _ = try window.load(offset, count)
    if window.with(offset, count, { $0.contains { $0 != 0 } }) { return .torn }
    // An encoder that was cut short has written no more than this, and nobody was promised it.
    let end = offset + Format.frameHeaderSize + Int(AL_WINDOW)
    return try hasContent(from: end) ? .torn : .nothing
  }

  private mutating func hasContent(from start: Int) throws(FileError) -> Bool {
    try window.hasContent(from: start)
  }

  /// Whether anything but zeros stands in a file from `start` on.
  static func hasContent(_ file: any OpenFile, from start: Int) throws(FileError) -> Bool {
    var window = FileWindow(file)
    return try window.hasContent(from: start)
  }

  /// What is wrong with a tail whose header is none that can be read; nil when nothing is.
  static func damage(
    _ finding: HeaderFinding<TailHeader>, _ file: any OpenFile
  ) throws(FileError) -> LogDamage? {
    // The header is whole before the first record is begun.
    let hasMore = try hasContent(file, from: Format.tailStart)
    switch finding {
    case .header, .newer, .letGo: return nil
    case .unused where !hasMore: return nil
    case .unused, .damaged:
      return LogDamage(
        effect: hasMore ? .loss : .tornEnd, path: file.path, offset: 0,
        message: "the tail's header is damaged")
    }
  }

  /// Whether a record or a mark stands behind `start`, where the prefix ends: then a length was
  /// lost.
  ///
  /// Only short records are looked for, so that long stretches of anything are soon passed.
  private mutating func hasRecord(behind start: Int) throws(FileError) -> Bool {
    let longest = Int(AL_WINDOW)
    let seed = seed
    var at = start + 8
    var hasFound = false
    while true {
      let count = try window.load(at, 32 << 10)
      if count < Format.frameHeaderSize { return hasFound }
      // What begins in the last part is looked at again with more behind it.
      let isLast = count < 32 << 10
      let end = isLast ? count - Format.frameHeaderSize : count - longest - Format.frameHeaderSize
      let (next, marks) = window.with(at, count) { bytes -> (Int, [UInt64]?) in
        var place = 0
        var marks: [UInt64]?
        while place <= end {
          guard let meta = Self.frame(in: bytes, at: place, seed: seed) else {
            place += 8
            continue
          }
          marks = (marks ?? []) + (meta & 0xff == 0 ? [meta] : [])
          place += TailFrame.size(
            Int(bytes.number(UInt32.self, at: place)) - Format.frameHeaderSize)
        }
        return (place, marks)
      }
      if let marks {
        hasFound = true
        for mark in marks { noteMark(mark) }
      }
      if isLast { return hasFound }
      at += next
    }
  }

  /// The second word of the short frame that stands whole at `place`, or nil when none does.
  private static func frame(
    in bytes: UnsafeRawBufferPointer, at place: Int, seed: UInt32
  ) -> UInt64? {
    let length = Int(bytes.number(UInt32.self, at: place))
    let body = length - Format.frameHeaderSize
    let padded = (body + 7) & ~7
    guard body >= 0, body <= Int(AL_WINDOW),
      place + Format.frameHeaderSize + padded <= bytes.count
    else { return nil }
    let meta = bytes.number(UInt64.self, at: place + 8)
    let content = bytes.part(place + Format.frameHeaderSize, padded)
    let isSkip = meta & 0xff == 0
    let check = al_frame_crc(
      seed, UInt32(length), meta, isSkip ? nil : content.baseAddress, isSkip ? 0 : padded)
    return check == bytes.number(UInt32.self, at: place + 4) ? meta : nil
  }
}
