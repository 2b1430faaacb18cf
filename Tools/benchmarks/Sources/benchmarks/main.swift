// 'swift run -c release benchmarks' measures the recorder and the replayer,
// 'swift run -c release benchmarks architecture [PART OF A ROW'S NAME]' the runtime,
// 'swift run -c release benchmarks log [burst] [sustained] [durable] [open] [seek] [read] [size]
// [10gib]' the log, beside peers that Tools/benchmarks/install-peers installs.
import ComposableArchitecture
import Foundation
import Retrace

if CommandLine.arguments.dropFirst().first == LogBenchmark.writerWord,
  CommandLine.arguments.count == 4
{
  // A child of the benchmark of opening, which kills itself.
  try LogBenchmark.writeAndDie(
    CommandLine.arguments[2], bytes: Int(CommandLine.arguments[3]) ?? 0)
}
if CommandLine.arguments.dropFirst().first == "architecture" {
  // A number of steps at the end makes it one short round, to count instructions in.
  try await architecture(
    only: CommandLine.arguments.dropFirst(2).first,
    steps: CommandLine.arguments.dropFirst(3).first.flatMap(Int.init))
  exit(0)
}

let folder = FileManager.default.temporaryDirectory
  .appendingPathComponent("retrace-benchmarks-\(getpid())")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }

if CommandLine.arguments.dropFirst().first == "log" {
  try LogBenchmark.run(Array(CommandLine.arguments.dropFirst(2)), folder: folder)
  // Leaving like this runs no 'defer'.
  try FileManager.default.removeItem(at: folder)
  exit(0)
}

let steps = 1_000_000
var logs = 0

/// Sends the fixed sequence to a store.
@MainActor
func send(to store: StoreOf<Counter>) {
  for index in 0..<steps { store.send(Counter.action(index)) }
}

var sends = Comparison(steps: steps, rounds: 7)
sends.add("Store.send, counter") {
  send(to: Store(initialState: Counter.State()) { Counter() })
}
sends.add("Store.send, counter, recorded") {
  logs += 1
  let recording = try Recording(at: folder.appendingPathComponent("\(logs).retrace"))
  send(
    to: Store(initialState: Counter.State()) {
      Counter().recorded(by: recording)
    })
  try recording.close()
}
try sends.run("Sending")

let log = folder.appendingPathComponent("1.retrace")
var replays = Comparison(steps: steps, rounds: 7)
replays.add("fold in memory") {
  var state = Counter.State()
  let counter = Counter()
  for index in 0..<steps { _ = counter._reduce(into: &state, action: Counter.action(index)) }
  if state.count == .min { print("") }
}
replays.add("replay of the log") {
  let timeline = try Timeline(of: log) { Counter() }
  _ = try timeline.replay { _ in }
  if timeline.state.count == .min { print("") }
}
try replays.run("Replaying")

let files = try FileManager.default.contentsOfDirectory(
  at: log, includingPropertiesForKeys: [.fileSizeKey])
let size = try files.reduce(0) {
  $0 + (try $1.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0)
}
print(String(format: "On disk: %.2f bytes an action", Double(size) / Double(steps)))
