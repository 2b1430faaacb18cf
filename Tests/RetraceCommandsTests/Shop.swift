import ActionCoding
import CommandLineKit
import ComposableArchitecture
import Foundation
import Retrace

@testable import RetraceCommands

/// A small feature with every kind of thing that the tool shows.
struct Shop: Reducer {
  @Recordable
  struct State: Equatable {
    var count = 0
    var note = ""
    var items: [String] = []
    var total: Double = 0
  }

  @Recordable
  enum Action {
    case increment
    case rename(String)
    case add(name: String, price: Double)
    case load
    case loaded(Int)
    case row(id: Int, action: Row)
    case say

    @Recordable
    enum Row {
      case tapped
      case moved(to: Int)
    }
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .increment: state.count += 1
    case .rename(let note): state.note = note
    case .add(let name, let price):
      state.items.append(name)
      state.total += price
    case .load:
      return .run(name: "load") { send in await send(.loaded(40)) }
    case .loaded(let count): state.count += count
    case .row: break
    case .say: print("a reducer prints")
    }
    return .none
  }
}

/// A log in a temporary directory, and the tool to look at it.
@MainActor
final class Session {
  let directory: String
  let log: String
  let tool: RetraceTool

  init(tool: RetraceTool = RetraceTool(name: "shop") { Shop() }) throws {
    directory = NSTemporaryDirectory() + "retrace-commands-\(UUID().uuidString)"
    log = directory + "/session.retrace"
    self.tool = tool
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: directory)
  }

  /// Records one run, in which each action is waited for.
  func record(_ actions: [Shop.Action], as name: String? = nil) async throws {
    let recording = try Recording(at: log)
    let store = Store(initialState: Shop.State()) {
      Shop().recorded(by: recording, as: name)
    }
    for action in actions { await store.send(action).finish() }
    try recording.close()
  }

  /// What the tool prints, with times replaced, and its status.
  func run(
    _ arguments: String..., columns: Int? = nil
  ) async -> (output: String, errors: String, status: ExitCode) {
    let output: OutputChannel = .memory()
    let errors: OutputChannel = .memory()
    let console = Console(output: output, errors: errors, lineLimit: columns)
    let status: ExitCode = await tool.run(arguments, console: console)
    return (normalized(output.contents), normalized(errors.contents), status)
  }

  private func normalized(_ text: String) -> String {
    text
      .replacing(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\.\d+Z?/, with: "DATE")
      .replacing(/\d\d:\d\d:\d\d\.\d\d\d/, with: "TIME")
      .replacing(log, with: "LOG")
  }

  /// Twelve actions of which one is an effect's answer.
  static let usual: [Shop.Action] = [
    .increment, .rename("two words"), .add(name: "tea", price: 2.5), .load,
    .row(id: 7, action: .tapped), .row(id: 7, action: .moved(to: 3)), .increment,
    .rename("\u{1B}[31m\"x\"\n"),
  ]
}

/// A feature that is not what was recorded.
struct Other: Reducer {
  @Recordable
  struct State: Equatable {
    var name = ""
  }

  @Recordable
  enum Action {
    case clear
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    state.name = ""
    return .none
  }
}
