import CActionLog
import LogSimulation
import Testing

@testable import ActionLog

@Suite struct FormatTests {
  @Test func checksumIsTheCastagnoliOne() {
    let digits = Array("123456789".utf8)
    #expect(al_crc32c(0, digits, 9) == 0xe306_9283)
    #expect(al_crc32c_portable(0, digits, 9) == 0xe306_9283)
    #expect(al_crc32c(0, nil, 0) == 0)
  }

  @Test func checksumIsTheSameWithAndWithoutTheInstruction() {
    // Long ones are summed in three lanes of 512 bytes.
    for count in Array(0..<200) + [1535, 1536, 1537, 3071, 3072, 3080, 20_000] {
      let bytes = payload(count, count).map { $0 &* 17 }
      let seed = UInt32(count) &* 0x9e37_79b9
      #expect(al_crc32c(seed, bytes, count) == al_crc32c_portable(seed, bytes, count))
    }
  }

  @Test func checksumGoesOnFromPartToPart() {
    let bytes = payload(1, 100)
    let whole = al_crc32c(7, bytes, 100)
    for cut in 0...100 {
      let first = al_crc32c(7, bytes, cut)
      #expect(al_crc32c(first, Array(bytes[cut...]), 100 - cut) == whole)
    }
  }

  @Test(arguments: [
    0, 1, 127, 128, 16_383, 16_384, UInt64(UInt32.max), UInt64(Int64.max), UInt64.max,
  ])
  func varintComesBack(_ value: UInt64) {
    var bytes: [UInt8] = []
    bytes.putVarint(value)
    bytes.withUnsafeBytes { raw in
      var at = 0
      #expect(takeVarint(raw, &at) == value)
      #expect(at == bytes.count)
      for count in 0..<bytes.count {
        var at = 0
        #expect(takeVarint(raw.part(0, count), &at) == nil)
      }
    }
  }

  @Test func varintOfMoreThan64BitsIsRefused() {
    for bytes: [UInt8] in [
      Array(repeating: 0xff, count: 9) + [2], Array(repeating: 0x80, count: 10) + [0],
      Array(repeating: 0xff, count: 20),
    ] {
      bytes.withUnsafeBytes { raw in
        var at = 0
        #expect(takeVarint(raw, &at) == nil)
      }
    }
  }

  @Test(arguments: [0, 1, -1, 2, -2, Int64.max, Int64.min])
  func zigzagComesBack(_ value: Int64) {
    #expect(unzigzag(zigzag(value)) == value)
  }

  @Test func segmentHeaderSurvivesEverySingleDamagedByte() {
    let header = SegmentHeader(
      salt: 0x0102_0304_0506_0708, firstSequence: 42, run: 3, flags: [.startsRun, .preamble],
      created: 1_000_000, durable: 41)
    let bytes = header.encoded()
    #expect(bytes.count == Format.segmentStart)
    for index in bytes.indices {
      var damaged = bytes
      damaged[index] ^= 0x40
      damaged.withUnsafeBytes { raw in
        guard case .header(let found, let isWhole) = SegmentHeader.find(in: raw) else {
          Issue.record("byte \(index) cost the header")
          return
        }
        #expect(found == header && !isWhole)
      }
    }
  }

  @Test func tailHeaderSurvivesEverySingleDamagedByte() {
    let header = TailHeader(salt: 9, firstSequence: 7, baseTime: 5, run: 2, ordinal: 3)
    let bytes = header.encoded()
    #expect(bytes.count == Format.tailStart)
    for index in bytes.indices {
      var damaged = bytes
      damaged[index] ^= 1
      damaged.withUnsafeBytes { raw in
        guard case .header(let found, let isWhole) = TailHeader.find(in: raw) else {
          Issue.record("byte \(index) cost the header")
          return
        }
        #expect(found == header && !isWhole)
      }
    }
  }

  @Test func aBlockComesBackAndEveryDamagedByteOfItIsNoticed() throws {
    var builder = BlockBuilder()
    builder.firstSequence = 10
    for number in 0..<40 {
      payload(number, number).withUnsafeBytes { body in
        builder.add(
          kind: RecordKind(rawValue: UInt8(1 + number % 6)), stream: UInt16(number % 3),
          time: UInt64(1_000_000 + (number * 7919) % 100), body: body)
      }
    }
    var bytes: [UInt8] = []
    let (header, _) = builder.finish(into: &bytes, seed: 77)
    #expect(header.codec == BlockCodec.lz4)

    func read(_ bytes: [UInt8]) -> [[UInt8]]? {
      bytes.withUnsafeBytes { raw -> [[UInt8]]? in
        guard let header = BlockHeader.decode(raw, seed: 77),
          header.size + Int(header.storedSize) == raw.count
        else { return nil }
        let contents = BlockContents()
        contents.storedBuffer(Int(header.storedSize)).copyBytes(
          from: raw.part(header.size, Int(header.storedSize)))
        guard contents.unpack(header, seed: 77), contents.agrees(with: header) else { return nil }
        return (0..<contents.count).map { index in
          let entry = contents.entries[index]
          return Array(
            UnsafeRawBufferPointer(
              start: contents.bytes + Int(entry.offset), count: Int(entry.length)))
        }
      }
    }
    #expect(read(bytes) == (0..<40).map { payload($0, $0) })
    for index in bytes.indices {
      for bit in 0..<8 {
        var damaged = bytes
        damaged[index] ^= 1 << UInt8(bit)
        #expect(read(damaged) == nil, "byte \(index) bit \(bit)")
      }
    }
    for count in bytes.indices { #expect(read(Array(bytes[..<count])) == nil) }
  }

  @Test func aBlockWithImpossibleSizesIsRefusedBeforeMemoryIsTaken() {
    let good = BlockHeader(
      codec: BlockCodec.lz4, columns: 0, flags: 0, storedSize: 10, rawSize: 100,
      firstSequence: 1, count: 5, storedChecksum: 0, earliest: 1, latest: 2, kinds: 16,
      streams: [])
    #expect(good.isPossible)
    func changed(_ body: (inout BlockHeader) -> Void) -> Bool {
      var header = good
      body(&header)
      return header.isPossible
    }
    #expect(changed { $0.rawSize = UInt32(Format.maximumBlock) })
    #expect(!changed { $0.rawSize = UInt32(Format.maximumBlock) + 1 })
    #expect(!changed { $0.rawSize = .max })
    #expect(!changed { $0.storedSize = 101 })
    #expect(!changed { $0.storedSize = 0 })
    #expect(!changed { $0.count = 0 })
    #expect(changed { $0.count = 20 })
    #expect(!changed { $0.count = 21 })
    #expect(!changed { $0.count = .max })
    #expect(!changed { $0.firstSequence = 0 })
    #expect(!changed { $0.firstSequence = .max })
    #expect(!changed { $0.codec = 2 })
    #expect(!changed { $0.codec = BlockCodec.plain })
    #expect(changed { $0.columns = 32 })
    #expect(!changed { $0.columns = 33 })
    #expect(!changed { ($0.earliest, $0.latest) = (3, 2) })
  }

  @Test func hostileBlocksWithARightChecksumAreRefused() {
    var generator = SeededGenerator(seed: 11)
    for round in 0..<20_000 {
      let raw = (0..<Int.random(in: 5...64, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      let isPlain = round % 2 == 0
      let header = BlockHeader(
        codec: isPlain ? BlockCodec.plain : BlockCodec.lz4, columns: UInt8(round % 5), flags: 0,
        storedSize: UInt32(raw.count),
        rawSize: isPlain ? UInt32(raw.count) : UInt32.random(in: 64...4096, using: &generator),
        firstSequence: 1, count: UInt32.random(in: 1...12, using: &generator),
        storedChecksum: checksum(0, raw[...]), earliest: 0, latest: 0, kinds: 0, streams: [])
      let contents = BlockContents()
      contents.storedBuffer(raw.count).copyBytes(from: raw)
      // What is accepted lies within the block.
      if contents.unpack(header, seed: 0) {
        contents.prepareAll()
        for index in 0..<contents.count {
          let entry = contents.entries[index]
          #expect(Int(entry.offset) + Int(entry.length) <= Int(header.rawSize))
        }
      }
    }
  }

  @Test func fileNamesComeBack() {
    #expect(FileName.segment(1) == "00000000000000000001.segment")
    #expect(FileName.segmentNumber("18446744073709551615.segment") == .max)
    #expect(FileName.tail(7) == "0000000007.tail")
    #expect(FileName.copy(7) == "0000000007.copy")
    for name in [
      "1.segment", "0000000000000000000a.segment", "99999999999999999999.segment", ".segment",
      "00000000000000000001.segment.2", "9999999999.tail", "００００００００００１.tail",
    ] {
      #expect(FileName.segmentNumber(name) == nil)
      #expect(FileName.tailNumber(name) == nil)
    }
  }
}
