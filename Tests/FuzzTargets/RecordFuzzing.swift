internal import ActionLog
internal import CActionLog
internal import LogSimulation

/// - Parameter input: A byte of flags (1: make the frames' checksums right, 2: there is a copy of the
///   first half as well, 4: the rest is a live file, 128: open it for writing), then frames.
func fuzzRecords(_ input: [UInt8]) throws(FuzzTarget.Finding) {
  guard let flags = input.first else { return }
  var rest = Array(input.dropFirst())
  let disk = MemoryFileSystem()
  disk.put(directory: "/x")
  var tail = tailHeader()
  let seed = tail.checksum(0, 16..<24)
  if flags & 4 != 0 {
    if flags & 1 != 0, rest.count >= 32 { rest.set(28, 4, UInt64(rest.checksum(0, 0..<28))) }
    rest += [UInt8](repeating: 0, count: max(0, 4096 - rest.count))
    disk.put("/x/live", rest)
    rest.withUnsafeBytes { _ = RecoveryNote($0, run: 1) }
    _ = rest.prefix(32).withUnsafeBytes { LogGap($0) }
  } else {
    tail += rest
    if flags & 1 != 0 { repairFrames(&tail, seed) }
  }
  disk.put("/x/0000000001.tail", tail)
  if flags & 2 != 0 { disk.put("/x/0000000001.copy", Array(tail.prefix(128 + rest.count / 2))) }
  try exercise(disk, writes: flags & 128 != 0)
}

private func tailHeader() -> [UInt8] {
  var bytes = Array("RTRCTAI\n".utf8)
  bytes.append(2, 1)
  bytes.append(2, 64)
  bytes.append(4, 0)
  bytes.append(8, 0xfedc_ba98_7654_3210)
  bytes.append(8, 1)
  bytes.append(8, 1_700_000_000_000_000)
  bytes.append(4, 1)
  bytes.append(4, 1)
  while bytes.count < 60 { bytes.append(0) }
  bytes.append(4, UInt64(bytes.checksum(0, 0..<60)))
  return bytes + bytes
}

private func repairFrames(_ bytes: inout [UInt8], _ seed: UInt32) {
  var at = 128
  while at + 16 <= bytes.count {
    let length = Int(bytes.number(at, 4))
    let padded = (length - 16 + 7) & ~7
    guard length >= 16, at + 16 + padded <= bytes.count else { return }
    let isSkip = bytes[at + 8] == 0
    let check = bytes.withUnsafeBytes { raw in
      al_frame_crc(
        seed, UInt32(length), raw.loadUnaligned(fromByteOffset: at + 8, as: UInt64.self),
        isSkip ? nil : raw.baseAddress.map { $0 + at + 16 }, isSkip ? 0 : padded)
    }
    bytes.set(at + 4, 4, UInt64(check))
    at += 16 + padded
  }
}
