// The counter of the README: taps come from standard input, every action goes to a log.
import ComposableArchitecture
import Foundation
import Retrace
import RetraceCommands

let feature = Feature(numberFact: { "\($0) is a good number Brent" })

// With these two lines the program can look at its own logs: 'counter state LOG 2'.
let tool = RetraceTool(name: "counter") { feature }
if tool.handles() { exit(await tool.run()) }

guard CommandLine.arguments.count == 2, let path = CommandLine.arguments.last,
  !path.hasPrefix("-")
else {
  let usage = """
    Usage: counter LOG     counts: + and - on lines of standard input, ? asks for a fact
           counter help    what can be done with a log

    """
  FileHandle.standardError.write(Data(usage.utf8))
  exit(64)
}

do {
  let recording = try Recording(at: path)
  let store = Store(initialState: Feature.State()) {
    feature
      .recorded(by: recording)
  }
  while let line = readLine() {
    switch line {
    case "+": store.send(.incrementButtonTapped)
    case "-": store.send(.decrementButtonTapped)
    case "?": await store.send(.numberFactButtonTapped).finish()
    default: print("'\(line)' is none of + - ?")
    }
    print(store.count, store.numberFact ?? "")
  }
  try recording.close()
} catch {
  FileHandle.standardError.write(Data("error: \(error)\n".utf8))
  exit(1)
}
