import ActionCoding
import ComposableArchitecture
import Foundation
import Retrace
import TestSupport
import Testing

/// Logs that were recorded by other versions of a feature than the one that replays them.
@MainActor
@Suite struct ChangeTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    self.folder = try TemporaryFolder()
    self.path = self.folder.path("log.retrace")
  }

  /// The feature as it was.
  @Reducer
  struct Todo {
    struct State: Equatable {
      var title = ""
      var count: Int32 = 0
      var old = true
    }
    enum Action: Equatable {
      case rename(String)
      case add(Int32)
      case noise
    }
    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .rename(let title): state.title = title
        case .add(let count): state.count += count
        case .noise: state.old.toggle()
        }
        return .none
      }
    }
  }

  /// Fields in another order, one that is gone, wider numbers, new ones, and a new case.
  @Reducer
  struct Grown {
    struct State: Equatable {
      var count = 0
      var note: String?
      var isDone = false
      var title = ""
    }
    enum Action: Equatable {
      case finish
      case noise
      case add(Int)
      case rename(String)
    }
    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .rename(let title): state.title = title
        case .add(let count): state.count += count
        case .finish: state.isDone = true
        case .noise: break
        }
        return .none
      }
    }
  }

  /// Everything under another name.
  @Reducer
  struct Renamed {
    struct State: Equatable {
      var name = ""
      var count: Int32 = 0
      var old = true
    }
    enum Action: Equatable {
      case retitle(String)
      case add(Int32)
    }
    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .retitle(let name): state.name = name
        case .add(let count): state.count += count
        }
        return .none
      }
    }
  }

  private func record(_ actions: [Todo.Action]) throws {
    let recording = try Recording(at: self.path)
    let store = Store(initialState: Todo.State()) { Todo().recorded(by: recording) }
    for action in actions { store.send(action) }
    try recording.close()
  }

  @Test func whatWasAddedRemovedMovedAndWidenedIsMatchedByName() throws {
    try self.record([.rename("tea"), .add(2), .add(3)])
    let timeline = try Timeline(of: self.path) { Grown() }
    try timeline.move(to: 3)
    #expect(timeline.state == Grown.State(count: 5, title: "tea"))
    #expect(timeline.divergence == nil)
    let verdict = try timeline.typeChanges()
    #expect(verdict.level == .lossy)
    #expect(verdict.findings.map(\.path) == ["old"])
    #expect(try timeline.replay { _ in }.divergence == nil)
  }

  @Test func whatWasRenamedNeedsAMigration() throws {
    try self.record([.rename("tea"), .noise, .add(2)])
    let error = #expect(throws: ReplayError.self) {
      let timeline = try Timeline(of: self.path) { Renamed() }
      try timeline.move(to: 3)
    }
    #expect(error?.code == .undecodable)
    let timeline = try Timeline(
      of: self.path,
      migrations: [
        .renamedField("title", to: "name", in: "ChangeTests.Todo.State"),
        .renamedCase("rename", to: "retitle", in: "ChangeTests.Todo.Action"),
        .rewriting("ChangeTests.Todo.Action") { value in
          guard case .enumeration(_, "noise", _) = value else { return value }
          return nil
        },
      ]
    ) { Renamed() }
    try timeline.move(to: 3)
    #expect(timeline.state == Renamed.State(name: "tea", count: 2))
    try timeline.move(to: 2)
    #expect(timeline.action == nil)
  }
}
