import Foundation
import ReplayFeatures

do {
  let arguments = try Arguments(CommandLine.arguments.dropFirst())
  var holds = true
  switch arguments.verb {
  case .check:
    holds = try await Check(arguments: arguments).run()
  case .record:
    let run = GeneratedRun(seed: arguments.seed, length: arguments.length)
    print(try await run.record(at: arguments.log).text)
  case .digest:
    print(try RunDigests(ofLogAt: arguments.log).text)
  case .processes:
    holds = try Processes(log: arguments.log, count: arguments.count ?? 100).run()
  }
  exit(holds ? 0 : 1)
} catch let wrong as Arguments.Wrong {
  FileHandle.standardError.write(Data("replays: \(wrong)\n".utf8))
  exit(64)
} catch {
  FileHandle.standardError.write(Data("replays: \(error)\n".utf8))
  exit(1)
}
