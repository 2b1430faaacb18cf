// Feeds decoders with bytes that nobody wrote.
//
//   swift run -c release fuzz seeds Fixtures/fuzz       writes the inputs to begin with
//   swift run -c release fuzz TARGET [INPUTS]           changes them at random, so many in all; goes
//                                                       on where it stopped before ('.build/fuzz')
//   Tools/fuzz-with-coverage TARGET [libFuzzer options] the same, led by coverage
//
// TARGET is segment, block, record, schema or value.
internal import Foundation
internal import FuzzTargets

func complain(_ text: String) {
  FileHandle.standardError.write(Data("fuzz: \(text)\n".utf8))
}

let words = Array(CommandLine.arguments.dropFirst())
do {
  if words.count == 2, words[0] == "seeds" {
    try writeSeeds(to: words[1])
  } else if let target = words.first.flatMap(FuzzTarget.init) {
    #if FUZZER
      exit(runLibFuzzer(target))
    #else
      guard let inputs = words.count == 1 ? 10_000_000 : Int(words[1]), words.count <= 2 else {
        complain("\"\(words[1])\" is no number of inputs")
        exit(64)
      }
      exit(try runMutations(target, inputs: inputs) ? 0 : 1)
    #endif
  } else {
    complain(
      "Use: fuzz seeds FOLDER, or fuzz segment|block|record|schema|value [INPUTS]")
    exit(64)
  }
} catch {
  complain("\(error)")
  exit(1)
}
