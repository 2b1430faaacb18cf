// Looks for what breaks the log's promises, for as long as one likes.
//
//   swift run -c release torture [power] [damage] [kills] [--minutes N] [--states N] [--kills N]
//
// Each part goes on where it stopped before: what has been done is kept in '.build/torture'.
internal import Foundation
internal import LogSimulation

/// Says why there is nothing to go on with.
func complain(_ error: any Error) {
  FileHandle.standardError.write(Data("torture: \(error)\n".utf8))
}

let arguments: Arguments
do {
  arguments = try Arguments(CommandLine.arguments.dropFirst())
} catch {
  complain(error)
  exit(64)
}
var hasFailed = false
do {
  let memory = try Memory(folder: arguments.folder)
  for part in arguments.parts {
    let limit = Deadline(minutes: arguments.minutes)
    switch part {
    case .power: try runPowerCuts(memory, states: arguments.states, limit, &hasFailed)
    case .damage: try runDamage(memory, limit, &hasFailed)
    case .kills: try runKills(memory, kills: arguments.kills, limit, &hasFailed)
    }
  }
} catch {
  complain(error)
  exit(1)
}
exit(hasFailed ? 1 : 0)
