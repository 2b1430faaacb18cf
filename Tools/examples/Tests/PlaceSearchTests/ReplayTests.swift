import ComposableArchitecture
import Foundation
import Retrace
import TemporaryLogs
import Testing

@testable import PlaceSearch

@MainActor
@Suite
struct ReplayTests {
  private let brunswick = Place(id: 2, name: "Brunswick")

  /// A search while another one waits, and a forecast for a place that another one was tapped after.
  private func session() async throws -> RecordedSession<PlaceSearch> {
    let clock = TestClock()
    return try await RecordedSession(PlaceSearch.State()) {
      PlaceSearch()
    } withDependencies: {
      $0.continuousClock = clock
    } run: { store in
      store.send(.queryChanged("B"))
      store.send(.queryChanged(""))
      store.send(.queryChanged("Br"))
      let search = store.send(.queryChanged("Bru"))
      await clock.advance(by: .milliseconds(300))
      await search.finish()
      #expect(store.results == [self.brunswick])
      await store.send(.placeTapped(self.brunswick)).finish()
      #expect(store.forecast?.degrees == [20, 21.5, 2])
      store.send(.forecastResponse(1, .success(Forecast(degrees: []))))
    }
  }

  @Test
  func aLiveSessionIsReplayed() async throws {
    let session = try await self.session()
    #expect(session.texts.count == 10)
    #expect(try session.differences { PlaceSearch() } == [])
  }

  @Test
  func mutants() async throws {
    let session = try await self.session()
    func check(
      _ kind: Divergence.Kind, _ action: Int, _ path: String,
      sourceLocation: SourceLocation = #_sourceLocation,
      _ change:
        @escaping (
          inout PlaceSearch.State, PlaceSearch.Action,
          (inout PlaceSearch.State, PlaceSearch.Action) -> Effect<PlaceSearch.Action>
        ) -> Effect<PlaceSearch.Action>
    ) throws {
      let divergence = try session.divergence { PlaceSearch().changed(change) }
      let comment = Comment(rawValue: divergence?.description ?? "no divergence")
      #expect(divergence?.kind == kind, comment, sourceLocation: sourceLocation)
      #expect(divergence?.action == action, comment, sourceLocation: sourceLocation)
      #expect(divergence?.path == path, comment, sourceLocation: sourceLocation)
    }
    // Other values, and a branch that is dropped.
    try check(.state, 1, "query") { state, action, original in
      let effect = original(&state, action)
      state.query = state.query.lowercased()
      return effect
    }
    try check(.state, 6, "results[0]") { state, action, original in
      action.is(\.searchResponse) ? .none : original(&state, action)
    }
    try check(.state, 9, "forecast.degrees[0]") { state, action, original in
      guard case .forecastResponse(_, .success(let forecast)) = action else {
        return original(&state, action)
      }
      state.forecast = forecast
      state.loadingPlace = nil
      return .none
    }
    // Effects: one less, one more, another name.
    try check(.effect, 5, "") { state, action, original in
      action.is(\.queryChangeDebounced) ? .none : original(&state, action)
    }
    try check(.effect, 4, "count") { state, action, original in
      let effect = original(&state, action)
      return state.query == "Bru" ? .merge(effect, .run(name: "count") { _ in }) : effect
    }
    try check(.effect, 7, "forecast") { state, action, original in
      let effect = original(&state, action)
      return action.is(\.placeTapped) ? .run(name: "forecast") { _ in } : effect
    }
    // A cancellation less starts nothing else, and changes nothing.
    let divergence = try session.divergence {
      PlaceSearch().changed { state, action, original in
        let effect = original(&state, action)
        return action.is(\.queryChanged) && state.query.isEmpty ? .none : effect
      }
    }
    #expect(divergence == nil)
    // A read.
    try check(.read, 7, "date") { state, action, original in
      @Dependency(\.date.now) var now
      if action.is(\.placeTapped) { _ = now }
      return original(&state, action)
    }
  }
}
