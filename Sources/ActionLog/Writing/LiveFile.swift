internal import CActionLog

/// What a running writer says about this very moment, in a mapped page that outlives its process:
/// who it is, and for every stream the action that is in its reducer.
struct LiveState: Hashable, Sendable {
  var run: UInt32
  var process: UInt32
  var inFlight: [InFlight]

  static func decode(_ bytes: UnsafeRawBufferPointer) -> LiveState? {
    guard bytes.count >= Format.liveSize, bytes.part(0, 8).elementsEqual(Format.liveMagic),
      bytes.number(UInt16.self, at: 8) == Format.version,
      checksum(0, bytes.part(0, 28)) == bytes.number(UInt32.self, at: 28)
    else { return nil }
    let run = bytes.number(UInt32.self, at: 12)
    guard run > 0, run <= Format.maximumRun else { return nil }
    var inFlight: [InFlight] = []
    for slot in 0..<Format.liveSlots {
      let word = bytes.number(UInt64.self, at: Format.liveSlotsStart + 8 * slot)
      if word == 0 { continue }
      inFlight.append(
        InFlight(
          run: run, stream: UInt16(truncatingIfNeeded: word >> 48), action: word & (1 << 48 - 1)))
    }
    return LiveState(run: run, process: bytes.number(UInt32.self, at: 16), inFlight: inFlight)
  }

  static func header(run: UInt32, process: UInt32) -> [UInt8] {
    var bytes = Format.liveMagic
    bytes.put(Format.version)
    bytes.put(UInt16(0))
    bytes.put(run)
    bytes.put(process)
    bytes.put(UInt64(0))
    bytes.put(checksum(0, bytes[...]))
    return bytes
  }
}

/// An action that was in its reducer when a run ended, or is there now.
public struct InFlight: Hashable, Sendable {
  public var run: UInt32
  public var stream: UInt16
  public var action: UInt64

  public init(run: UInt32, stream: UInt16, action: UInt64) {
    self.run = run
    self.stream = stream
    self.action = action
  }
}

/// The payload of a recovery record: how the run that was recovered had ended.
public struct RecoveryNote: Hashable, Sendable {
  /// The process that wrote the run, or 0 when it is not known.
  public var process: UInt32
  public var inFlight: [InFlight]

  func encoded() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.put(process)
    bytes.put(UInt32(inFlight.count))
    for entry in inFlight {
      bytes.put(entry.stream)
      bytes.put(UInt16(0))
      bytes.put(UInt32(0))
      bytes.put(entry.action)
    }
    return bytes
  }

  /// Reads the payload of a record of kind `recovery`; nil when it is none.
  public init?(_ payload: UnsafeRawBufferPointer, run: UInt32) {
    guard payload.count >= 8 else { return nil }
    let count = Int(payload.number(UInt32.self, at: 4))
    guard count <= Format.liveSlots, payload.count == 8 + 16 * count else { return nil }
    process = payload.number(UInt32.self, at: 0)
    inFlight = (0..<count).map { index in
      InFlight(
        run: run, stream: payload.number(UInt16.self, at: 8 + 16 * index),
        action: payload.number(UInt64.self, at: 16 + 16 * index))
    }
  }

  init(process: UInt32, inFlight: [InFlight]) {
    self.process = process
    self.inFlight = inFlight
  }
}
