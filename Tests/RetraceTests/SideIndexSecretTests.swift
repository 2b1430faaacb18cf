import ActionLog
import ComposableArchitecture
import Foundation
import TestSupport
import Testing

@testable import Retrace

/// What a replay leaves beside a log holds no secrets either.
@MainActor
@Suite struct SideIndexSecretTests {
  @Reducer
  struct Safe {
    struct State: Equatable {
      var turns = 0
      @Redacted var code = "none"
    }
    enum Action {
      case turn
      @Redacted case code(String)
    }
    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .turn: state.turns += 1
        case .code(let code): state.code = code
        }
        return .none
      }
    }
  }

  @Test func whatIsRedactedIsNotInThem() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("log.retrace")
    let canary = "canary-7d1"
    let recording = try Recording(at: path)
    let store = Store(initialState: Safe.State(code: canary)) { Safe().recorded(by: recording) }
    for _ in 0..<300 { store.send(.turn) }
    store.send(.code(canary))
    for _ in 0..<300 { store.send(.turn) }
    try recording.close()

    let timeline = try Timeline(of: path) { Safe() }
    var plan = SideIndexPlan()
    plan.leastActions = 100
    plan.spacing = 50...50
    plan.share = 1_000
    plan.maximumBytes = 1 << 20
    timeline.sidePlan = plan
    #expect(try timeline.replay { _ in }.divergence == nil)
    let (start, _) = try #require(timeline.stateBeside(upTo: 320, after: 0))
    #expect(start.moment.state.turns > 200)
    #expect(start.moment.state.code == "none")
    // What is packed stands in the file as it is where it comes for the first time.
    for name in try FileManager.default.contentsOfDirectory(atPath: path + ".states") {
      let file = URL(fileURLWithPath: path + ".states/" + name)
      #expect(!String(decoding: try Data(contentsOf: file), as: UTF8.self).contains(canary))
    }
  }
}
