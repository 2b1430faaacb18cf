// What a test wants to see in a process of its own: `strain deep` runs a large state on a small
// stack, `strain soak ROUNDS` looks whether memory grows.
import ComposableArchitecture
import Foundation

switch CommandLine.arguments.dropFirst().first {
case "deep":
  runDeep()
case "soak":
  await runSoak(rounds: CommandLine.arguments.dropFirst(2).first.flatMap { Int($0) } ?? 1_000)
default:
  print("usage: strain deep | strain soak ROUNDS")
  exit(64)
}
