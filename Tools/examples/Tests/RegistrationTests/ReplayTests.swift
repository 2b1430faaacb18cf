import ComposableArchitecture
import Foundation
import Retrace
import TemporaryLogs
import Testing

@testable import Registration

@MainActor
@Suite
struct ReplayTests {
  private func session() async throws -> RecordedSession<Registration> {
    try await RecordedSession(Registration.State()) {
      Registration()
    } withDependencies: {
      $0[RegistrationClient.self].register = { Receipt(number: $0.count) }
    } run: { store in
      store.topics = [.releases, .events]
      store.send(.view(.clearButtonTapped))
      store.email = "blob@example.org"
      await store.send(.view(.submitButtonTapped)).finish()
      #expect(store.withState { $0 } == Registration.State())
      store.isNewsletterOn = true
      let address = store.scope(state: \.address, action: \.address)
      address.city = "Brooklyn"
      address.street.number = -3
      address.postcode = "1x"
      store.send(.view(.submitButtonTapped))
      store.email = "blob"
      #expect(store.problems == [.postcode, .email])
    }
  }

  @Test
  func aLiveSessionIsReplayed() async throws {
    let session = try await self.session()
    #expect(session.texts.count == 12)
    #expect(try session.differences { Registration() } == [])
  }

  @Test
  func theAddressByItself() async throws {
    let session = try await RecordedSession(AddressForm.State()) {
      AddressForm()
    } run: { store in
      store.city = "Brooklyn"
      store.street.name = "Main"
      store.street = AddressForm.Street(name: "Side", number: 0)
      #expect(store.street.number == 1)
    }
    #expect(try session.differences { AddressForm() } == [])
  }

  @Test
  func mutants() async throws {
    let session = try await self.session()
    func check(
      _ kind: Divergence.Kind, _ action: Int, _ path: String,
      sourceLocation: SourceLocation = #_sourceLocation,
      _ change:
        @escaping (
          inout Registration.State, Registration.Action,
          (inout Registration.State, Registration.Action) -> Effect<Registration.Action>
        ) -> Effect<Registration.Action>
    ) throws {
      let divergence = try session.divergence { Registration().changed(change) }
      let comment = Comment(rawValue: divergence?.description ?? "no divergence")
      #expect(divergence?.kind == kind, comment, sourceLocation: sourceLocation)
      #expect(divergence?.action == action, comment, sourceLocation: sourceLocation)
      #expect(divergence?.path == path, comment, sourceLocation: sourceLocation)
    }
    // Other arithmetic.
    try check(.state, 7, "address.street.number") { state, action, original in
      let effect = original(&state, action)
      if action.is(\.address) { state.address.street.number = max(3, state.address.street.number) }
      return effect
    }
    // A branch that is dropped: what follows on a change, and what a form is cleared by.
    try check(.state, 1, "topics[events]") { state, action, original in
      let effect = original(&state, action)
      state.topics = []
      return effect
    }
    try check(.state, 5, "email") { state, action, original in
      action.is(\.submitResponse) ? .none : original(&state, action)
    }
    // Effects.
    try check(.effect, 4, "") { state, action, original in
      let effect = original(&state, action)
      return action.is(\.view.submitButtonTapped) ? .none : effect
    }
    try check(.effect, 4, "register") { state, action, original in
      let effect = original(&state, action)
      guard action.is(\.view.submitButtonTapped), state.isSubmitting else { return effect }
      return .run(name: "register") { _ in }
    }
    try check(.effect, 10, "") { state, action, original in
      let effect = original(&state, action)
      guard action.is(\.view.submitButtonTapped), !state.isSubmitting else { return effect }
      return .run { _ in }
    }
    // A read.
    try check(.read, 2, "date") { state, action, original in
      @Dependency(\.date.now) var now
      if action.is(\.view.clearButtonTapped) { _ = now }
      return original(&state, action)
    }
  }
}
