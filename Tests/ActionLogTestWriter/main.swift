// Appends until it is killed, and says after each append which record is in the log. The tests
// of kills run it: `ActionLogTestWriter LOG THREADS POLICY SEED`, where POLICY is `none`, `each`,
// `group` or a number of milliseconds, or `ActionLogTestWriter LOG fork 100 1`. For each record it writes three bytes of number and one of thread.

import ActionLog
import Glibc

struct Generator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ (state >> 29)
  }
}

final class Work: Sendable {
  let writer: LogWriter
  let thread: Int
  let seed: UInt64

  init(writer: LogWriter, thread: Int, seed: UInt64) {
    self.writer = writer
    self.thread = thread
    self.seed = seed
  }

  func run() {
    var generator = Generator(state: seed &+ UInt64(thread))
    for number in 1..<1 << 24 {
      let isLong = Int.random(in: 0..<200, using: &generator) == 0
      let size = Int.random(in: 4...(isLong ? 20_000 : 60), using: &generator)
      let sequence = try? writer.append(.action, stream: UInt16(thread)) { buffer in
        guard buffer.count >= size else { return nil }
        buffer.storeBytes(of: UInt32(number), as: UInt32.self)
        for index in 4..<size { buffer[index] = UInt8(truncatingIfNeeded: number &+ index) }
        return size
      }
      guard let sequence, sequence > 0 else { exit(3) }
      if writer.wantsCut {
        writer.cut { [PreambleRecord(kind: .state, stream: 0, payload: [1, 2, 3])] }
      }
      var word = UInt32(number) | UInt32(thread) << 24
      if write(1, &word, 4) != 4 { exit(4) }
    }
  }
}

/// Not on the main actor, as the closure must not be either.
nonisolated func start(_ work: Work) {
  var handle = pthread_t()
  pthread_create(
    &handle, nil,
    { context in
      guard let context else { return nil }
      Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run()
      return nil
    }, Unmanaged.passRetained(work).toOpaque())
}

/// Forks with an open log, tries to append in the child, and goes on in the parent.
nonisolated func appendAcrossFork(_ path: String) throws -> Never {
  typealias Fork = @convention(c) () -> pid_t
  // Swift does not offer it, with good reason; programs written in C do it nevertheless.
  guard let symbol = dlsym(nil, "fork") else { exit(5) }
  let fork = unsafeBitCast(symbol, to: Fork.self)
  let writer = try LogWriter(at: path)
  try writer.append(.note, stream: 0, payload: [1])
  writer.setInFlight(stream: 0, action: 1)
  let child = fork()
  if child == 0 {
    writer.setInFlight(stream: 0, action: 2)
    writer.clearInFlight()
    do {
      try writer.append(.note, stream: 0, payload: [9])
    } catch {
      say("\(error)\n", to: 1)
    }
    try writer.flush()
    try writer.close()
    _exit(0)
  }
  var status: Int32 = 0
  guard waitpid(child, &status, 0) == child, status == 0 else { exit(6) }
  try writer.append(.note, stream: 0, payload: [2])
  try writer.close()
  exit(0)
}

nonisolated func say(_ text: String, to descriptor: Int32) {
  var text = text
  text.withUTF8 { _ = write(descriptor, $0.baseAddress, $0.count) }
}

let arguments = CommandLine.arguments
if arguments.count > 2, arguments[2] == "fork" { try appendAcrossFork(arguments[1]) }
guard arguments.count == 5, let threads = Int(arguments[2]), let seed = UInt64(arguments[4]) else {
  exit(64)
}
var options = LogOptions()
options.segmentSize = 1 << 20
options.maximumTailSize = 512 << 10
switch arguments[3] {
case "none": options.syncPolicy = .none
case "each": options.syncPolicy = .each
case "group": options.syncPolicy = .group
default: options.syncPolicy = .interval(milliseconds: Int(arguments[3]) ?? 100)
}
do {
  let writer = try LogWriter(at: arguments[1], options: options)
  for thread in 0..<threads {
    let work = Work(writer: writer, thread: thread, seed: seed)
    start(work)
  }
  while true { pause() }
} catch {
  say("\(error)\n", to: 2)
  exit(1)
}
