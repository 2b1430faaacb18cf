// 'swift run -c release benchmarks' measures the recorder and the replayer,
// 'swift run -c release benchmarks [send] [encode] [fold] [seek]' parts of that,
// 'swift run -c release benchmarks replay ACTIONS' a replay of so many, in a process of its own,
// 'swift run -c release benchmarks architecture [PART OF A ROW'S NAME]' the runtime,
// 'swift run -c release benchmarks log [burst] [sustained] [durable] [open] [seek] [read] [size]
// [10gib]' the log, beside peers that Tools/benchmarks/install-peers installs.
import Foundation
import Retrace

let words = Array(CommandLine.arguments.dropFirst())

if words.first == LogBenchmark.writerWord, words.count == 3 {
  // A child of the benchmark of opening, which kills itself.
  try LogBenchmark.writeAndDie(words[1], bytes: Int(words[2]) ?? 0)
}
if words.first == LongReplay.childWord, words.count == 2 {
  try LongReplay.replay(words[1])
  exit(0)
}
if words.first == "architecture" {
  // A number of steps at the end makes it one short round, to count instructions in.
  try await architecture(
    only: words.dropFirst().first, steps: words.dropFirst(2).first.flatMap(Int.init))
  exit(0)
}

let folder = FileManager.default.temporaryDirectory
  .appendingPathComponent("retrace-benchmarks-\(getpid())")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)

if words.first == "log" {
  try LogBenchmark.run(Array(words.dropFirst()), folder: folder)
} else if words.first == "replay" {
  try LongReplay.run(actions: words.dropFirst().first.flatMap(Int.init) ?? 10_000_000, in: folder)
} else {
  // A number among the words makes it one round of so many steps, to count instructions in.
  let steps = words.compactMap(Int.init).first
  var benchmark = RetraceBenchmark(folder: folder, steps: steps)
  try benchmark.run(words.filter { Int($0) == nil })
}
// Leaving like this runs no 'defer'.
try FileManager.default.removeItem(at: folder)
exit(0)
