import ActionCoding
import CommandLineKit
import ComposableArchitecture
import Foundation
import Retrace
import Testing

@testable import RetraceCommands

/// The shop of today, in which things have other names than in the one that was recorded.
struct Stall: Reducer {
  @Recordable
  struct State: Equatable {
    var amount = 0
    var note = ""
  }

  @Recordable
  enum Action {
    case bump
    case rename(String)
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .bump: state.amount += 1
    case .rename(let note): state.note = note
    }
    return .none
  }
}

@MainActor
@Suite struct MigrationTests {
  private let tool = RetraceTool(
    name: "stall",
    migrations: [
      .renamedField("count", to: "amount", in: "Shop.State"),
      .renamedCase("increment", to: "bump", in: "Shop.Action"),
    ]
  ) { Stall() }

  @Test(arguments: [
    (["state", "LOG", "2", "amount"], "1\n"),
    (["diff", "LOG", "3"], "amount  1 → 2\n"),
    (["why", "LOG", "note"], "note  \"\" → \"tea\"\n"),
    (["show", "LOG", "1"], "amount  0 → 1\n"),
    (["replay", "LOG"], "amount  2\n"),
  ])
  func everyVerbThatFoldsUsesThem(arguments: [String], printed: String) async throws {
    let session = try Session(tool: self.tool)
    try await session.record([.increment, .rename("tea"), .increment])
    let output: OutputChannel = .memory()
    let errors: OutputChannel = .memory()
    let status = await session.tool.run(
      arguments.map { $0 == "LOG" ? session.log : $0 },
      console: Console(output: output, errors: errors))
    #expect(output.contents.contains(printed), "\(output.contents)")
    #expect(status == .done, "\(errors.contents)")
  }

  @Test func withoutThemTheActionIsNamed() async throws {
    let session = try Session(tool: RetraceTool(name: "stall") { Stall() })
    try await session.record([.rename("tea"), .increment])
    let (output, errors, status) = await session.run("state", session.log)
    #expect(output == "")
    #expect(
      errors.contains("error: Action 2 of 'Shop' can't be replayed. "), "\(errors)")
    #expect(errors.hasSuffix("with 'stall show LOG 2'.\n"), "\(errors)")
    #expect(status == .failed)
  }
}
