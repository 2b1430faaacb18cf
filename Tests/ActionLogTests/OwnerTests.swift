import ActionLog
import CActionLog
import Foundation
import LogSimulation
import Testing

/// The thread that appends most, which puts its records without an exchange, and those that come
/// between.
@Suite(.enabled(if: Place.canBeOwned, "the system has no barrier for all threads"))
struct OwnerTests {
  @Test func aThreadOwnsThePlaceAfterItsStreak() {
    let place = Place()
    for number in 1..<UInt64(AL_STREAK) { #expect(place.append() == number) }
    #expect(!place.isOwned)
    #expect(place.append() == UInt64(AL_STREAK))
    #expect(place.isOwned)
    for number in 1...10 { #expect(place.append() == UInt64(AL_STREAK) + UInt64(number)) }
    #expect(place.frames.count == Int(AL_STREAK) + 10)
  }

  @Test func recordsOfAnotherThreadEndAStreak() {
    let place = Place()
    for _ in 1..<AL_STREAK { place.append() }
    onAnotherThread { place.put([1]) }
    for _ in 1..<AL_STREAK { place.append() }
    #expect(!place.isOwned)
    place.append()
    #expect(place.isOwned)
  }

  @Test func anotherThreadTakesTheOwnersClaimAway() throws {
    let place = Place()
    place.beOwned()
    let before = place.frames.count
    let claim = try #require(place.begin())
    claim.body[0] = 7
    onAnotherThread {
      #expect(place.put([1, 2, 3]) == UInt64(before) + 1)
      // Once taken away it is not taken again.
      #expect(place.put([4]) == UInt64(before) + 2)
    }
    #expect(al_outstanding(place.appender) == 1)
    claim.body[1] = 8
    #expect(place.commit(claim, 2) == AL_NO_SEQUENCE + UInt64(AL_LOST.rawValue))
    // Nobody writes over it until the owner has copied it.
    #expect(Array(claim.body[..<2]) == [7, 8])
    #expect(al_outstanding(place.appender) == 1)
    al_forget(place.appender, claim.ticket)
    #expect(al_outstanding(place.appender) == 0)
    #expect(place.put([7, 8]) == UInt64(before) + 3)
    #expect(place.frames.suffix(4).map(\.kind) == [0, 3, 3, 3])
    #expect(place.frames.suffix(3).map(\.body) == [[1, 2, 3], [4], [7, 8]])
    #expect(place.frames[before].body.count == Int(AL_WINDOW))
  }

  @Test func anOwnerThatAppendsWithinItsClaimLosesIt() throws {
    let place = Place()
    place.beOwned()
    let claim = try #require(place.begin())
    #expect(place.begin() == nil)
    place.put([9])
    #expect(place.commit(claim, 1) == AL_NO_SEQUENCE + UInt64(AL_LOST.rawValue))
    al_forget(place.appender, claim.ticket)
    place.append()
    #expect(place.isOwned)
    #expect(place.frames.suffix(2).map(\.kind) == [3, 3])
  }

  @Test func aClaimThatIsGivenBackLeavesNothing() throws {
    let place = Place()
    place.beOwned()
    let before = place.frames
    let claim = try #require(place.begin())
    for index in 0..<200 { claim.body[index] = 0xff }
    al_cancel(place.appender, claim.ticket)
    #expect(place.frames == before)
    place.append()
    #expect(place.frames.count == before.count + 1)
  }

  @Test func onlyTheOwnerClaimsThePlace() {
    let place = Place()
    place.beOwned()
    onAnotherThread {
      #expect(place.begin() == nil)
      place.put([5])
    }
    #expect(place.isOwned)
    #expect(place.frames.last?.body == [5])
  }

  @Test func othersThatComeOftenEndTheOwnership() throws {
    let place = Place()
    place.beOwned()
    onAnotherThread {
      // What the owner has put makes up for a few of them.
      for _ in 0..<3 { place.put([1]) }
      #expect(place.isOwned)
      for _ in 0..<3 { place.put([1]) }
      #expect(!place.isOwned)
      // Now anyone may claim it, though nobody but the first can own it again.
      for _ in 0..<3 * AL_STREAK { place.append() }
      #expect(!place.isOwned)
    }
    for _ in 0..<AL_STREAK { place.append() }
    #expect(place.isOwned)
  }

  @Test func aClaimFromBeforeIsLostWhenTheOwnershipEnds() throws {
    let place = Place()
    place.beOwned()
    let claim = try #require(place.begin())
    onAnotherThread {
      for _ in 0..<8 { place.put([1]) }
      #expect(!place.isOwned)
      place.append()
    }
    #expect(al_outstanding(place.appender) == 1)
    #expect(place.commit(claim, 1) == AL_NO_SEQUENCE + UInt64(AL_LOST.rawValue))
    al_forget(place.appender, claim.ticket)
    #expect(al_outstanding(place.appender) == 0)
  }

  @Test func aSyncMarkTakesNoClaimAway() throws {
    let place = Place()
    place.beOwned()
    let before = place.frames.count
    let claim = try #require(place.begin())
    onAnotherThread { #expect(!al_mark(place.appender, 3)) }
    #expect(place.commit(claim, 4) == UInt64(before) + 1)
    onAnotherThread { #expect(al_mark(place.appender, 3)) }
    #expect(place.frames.suffix(2).map(\.kind) == [3, 0])
    #expect(place.isOwned)
    place.append()
    #expect(place.frames.count == before + 3)
  }

  @Test func aClosedPlaceIsNobodys() throws {
    let place = Place()
    place.beOwned()
    let claim = try #require(place.begin())
    onAnotherThread {
      #expect(al_lock(place.appender))
      al_close_locked(place.appender)
    }
    #expect(al_is_closed(place.appender))
    #expect(place.commit(claim, 1) == AL_NO_SEQUENCE + UInt64(AL_LOST.rawValue))
    al_forget(place.appender, claim.ticket)
    #expect(place.begin() == nil)
    #expect(!al_lock(place.appender))
  }

  @Test func aTimeThatDoesNotFitTheTailIsToldToTheOwner() throws {
    let place = Place()
    place.beOwned()
    let claim = try #require(place.begin())
    place.appender.pointee.base_time += 1 << 41
    #expect(place.commit(claim, 1) == AL_NO_SEQUENCE + UInt64(AL_NO_TIME.rawValue))
    al_cancel(place.appender, claim.ticket)
    place.appender.pointee.base_time -= 1 << 41
    place.append()
    #expect(place.frames.last?.kind == 3)
  }

  @Test func ownerAndOthersNeverWriteOverEachOther() throws {
    let place = Place(capacity: 32 << 20)
    let (total, others) = (100_000, 1_000)
    place.beOwned()
    let before = place.frames.count
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      for number in 0..<others {
        place.put(bytes(of: number))
        if number % 3 == 0 { _ = al_mark(place.appender, UInt64(number)) }
        for _ in 0..<number % 50 { sched_yield() }
      }
      done.signal()
    }
    for number in 0..<total {
      guard let claim = place.begin() else {
        place.put(bytes(of: number, isOwners: true))
        continue
      }
      let body = bytes(of: number, isOwners: true)
      _ = claim.body.update(fromContentsOf: body)
      let sequence = place.commit(claim, body.count)
      if sequence < AL_NO_SEQUENCE { continue }
      try #require(sequence == AL_NO_SEQUENCE + UInt64(AL_LOST.rawValue))
      // As the encoder left it.
      try #require(Array(claim.body[..<body.count]) == body)
      al_forget(place.appender, claim.ticket)
      place.put(body)
    }
    done.wait()
    var next = [0, 0]
    var isRight = true
    for frame in place.frames.dropFirst(before) where frame.kind == 3 {
      let isOwners = frame.body.count == 9
      isRight = isRight && frame.body == bytes(of: next[isOwners ? 1 : 0], isOwners: isOwners)
      next[isOwners ? 1 : 0] += 1
    }
    #expect(isRight)
    #expect(next == [others, total])
    #expect(al_outstanding(place.appender) == 0)
  }

  // MARK: - The writer

  @Test func noRecordIsLostOrTornWhileOthersComeBetween() throws {
    var options = LogOptions()
    options.maximumTailSize = 256 << 10
    options.syncPolicy = .interval(milliseconds: 1)
    try onEachFileSystem { fileSystem, path in
      let writer = try LogWriter(at: path, options: options, fileSystem: fileSystem)
      let total = 8_000
      let group = DispatchGroup()
      for thread in 1...2 {
        group.enter()
        Thread.detachNewThread {
          for number in 0..<60 {
            _ = try? writer.append(.effect, stream: UInt16(thread), payload: text(number, 40))
            usleep(UInt32(100 * thread))
          }
          group.leave()
        }
      }
      for number in 0..<total {
        try writer.append(.action, stream: 0) { buffer in
          let bytes = text(number, number % 90)
          buffer.copyBytes(from: bytes)
          if number % 1000 == 0 {
            _ = try? writer.append(.read, stream: 3, payload: text(number / 1000, 8))
          }
          return bytes.count
        }
      }
      group.wait()
      try writer.close()
      let reader = try LogReader(at: path, mode: .strict, fileSystem: fileSystem)
      var cursor = reader.cursor()
      var next = [0, 0, 0, 0]
      var isRight = true
      while let record = try cursor.next() {
        let stream = Int(record.stream)
        let size = [next[0] % 90, 40, 40, 8][stream]
        isRight = isRight && Array(record.payload) == text(next[stream], size)
        next[stream] += 1
      }
      #expect(isRight)
      #expect(next == [total, 60, 60, total / 1000])
      #expect(writer.statistics.dropped == 0)
    }
  }
}

private func bytes(of number: Int, isOwners: Bool = false) -> [UInt8] {
  withUnsafeBytes(of: UInt64(number)) { Array($0) } + (isOwners ? [1] : [])
}

/// Bytes that say what they are of.
private func text(_ number: Int, _ size: Int) -> [UInt8] {
  (0..<size).map { UInt8(truncatingIfNeeded: number &* 31 &+ $0) }
}

private func onAnotherThread(_ body: @escaping @Sendable () -> Void) {
  let done = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    body()
    done.signal()
  }
  done.wait()
}

/// The place of the next record, in memory of its own.
private final class Place: @unchecked Sendable {
  struct Claim {
    var ticket: UInt64
    var frame: UnsafeMutablePointer<UInt8>
    var body: UnsafeMutableBufferPointer<UInt8>
  }

  struct Frame: Equatable {
    var kind: UInt8
    var body: [UInt8]
  }

  static let seed: UInt32 = 77
  let appender = UnsafeMutablePointer<al_appender>.allocate(capacity: 1)
  private let memory: UnsafeMutableBufferPointer<UInt8>

  /// Whether a thread can own a place here: asking takes a moment in a program of several threads.
  static let canBeOwned: Bool = {
    let place = Place()
    for _ in 0..<2000 where !al_can_own() { usleep(1000) }
    for _ in 0..<AL_STREAK { place.append() }
    return place.isOwned
  }()

  init(capacity: Int = 1 << 20) {
    memory = .allocate(capacity: capacity)
    memory.initialize(repeating: 0)
    appender.initialize(to: al_appender())
    al_clock_start(&appender.pointee.clock)
    appender.pointee.next_sequence = 1
    al_register(appender)
    al_enter_tail(
      appender, memory.baseAddress!, memory.baseAddress! + memory.count, Self.seed,
      al_clock_now(&appender.pointee.clock) - 1000)
  }

  deinit {
    al_unregister(appender)
    appender.deallocate()
    memory.deallocate()
  }

  var isOwned: Bool { al_is_owned(appender) }

  /// Has the running thread own it, and put so much that three others may come between.
  func beOwned() {
    for _ in 0..<4 * AL_STREAK { append() }
    #expect(isOwned)
  }

  func begin() -> Claim? {
    var ticket: UInt64 = 0
    var room = 0
    guard let frame = al_begin(appender, &ticket, &room) else { return nil }
    let body = UnsafeMutableBufferPointer(start: frame + Int(AL_FRAME_HEADER), count: room)
    return Claim(ticket: ticket, frame: frame, body: body)
  }

  func commit(_ claim: Claim, _ count: Int) -> UInt64 {
    al_commit(appender, claim.ticket, claim.frame, count, 3, 0)
  }

  /// A record in place; 0 when the place is not free.
  @discardableResult
  func append() -> UInt64 {
    guard let claim = begin() else { return 0 }
    claim.body[0] = 1
    return commit(claim, 1)
  }

  /// A finished record; 0 when it has no room.
  @discardableResult
  func put(_ bytes: [UInt8]) -> UInt64 {
    var sequence: UInt64 = 0
    return al_put(appender, bytes, bytes.count, 3, 0, &sequence) == AL_DONE ? sequence : 0
  }

  /// All that is published, each with a checksum that is right.
  var frames: [Frame] {
    var frames: [Frame] = []
    var at = 0
    var isRight = true
    let bytes = UnsafeRawBufferPointer(memory)
    while true {
      let length = bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self)
      if length == 0 { break }
      let crc = bytes.loadUnaligned(fromByteOffset: at + 4, as: UInt32.self)
      let meta = bytes.loadUnaligned(fromByteOffset: at + 8, as: UInt64.self)
      let count = Int(length) - Int(AL_FRAME_HEADER)
      let start = at + Int(AL_FRAME_HEADER)
      let padded = (count + 7) & ~7
      let kind = UInt8(truncatingIfNeeded: meta)
      let covered = kind == 0 ? 0 : padded
      let sum = al_frame_crc(Self.seed, length, meta, bytes.baseAddress! + start, covered)
      isRight = isRight && sum == crc
      frames.append(Frame(kind: kind, body: Array(bytes[start..<start + count])))
      at = start + padded
    }
    #expect(isRight)
    #expect(memory.baseAddress! + at == al_position(appender))
    return frames
  }
}
