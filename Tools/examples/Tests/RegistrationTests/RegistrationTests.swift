import ComposableArchitecture
import DependenciesTestSupport
import IssueReporting
import Retrace
import TemporaryLogs
import Testing

@testable import Registration

@MainActor
@Suite
struct RegistrationTests {
  struct Refused: Error {}

  @Test
  func problemsOfFields() async {
    let store = TestStore(initialState: Registration.State()) {
      Registration()
    }
    await store.send(\.view.binding.email, "blob") {
      $0.email = "blob"
      $0.problems = [.email]
    }
    await store.send(\.address.binding.postcode, "1012X") {
      $0.address.postcode = "1012X"
      $0.problems = [.email, .postcode]
    }
    await store.send(\.view.submitButtonTapped)
    await store.send(\.view.binding.email, "blob@example.org") {
      $0.email = "blob@example.org"
      $0.problems = [.postcode]
    }
    await store.send(.address(.set(\.postcode, "1012"))) {
      $0.address.postcode = "1012"
      $0.problems = []
    }
    #expect(store.state.isSubmitEnabled)
  }

  @Test
  func oneFieldSetsAnother() async {
    let store = TestStore(initialState: Registration.State()) {
      Registration()
    }
    await store.send(.view(.set(\.isNewsletterOn, true))) {
      $0.isNewsletterOn = true
      $0.topics = [.events, .offers, .releases]
    }
    await store.send(.view(.binding(.set(\.topics, [.offers])))) {
      $0.topics = [.offers]
    }
    await store.send(\.view.binding.isNewsletterOn, false) {
      $0.isNewsletterOn = false
      $0.topics = []
    }
  }

  @Test
  func nestedFieldsAreKeptInTheirRange() async {
    let store = TestStore(initialState: AddressForm.State()) {
      AddressForm()
    }
    await store.send(\.binding.street, AddressForm.Street(name: "Main", number: 7)) {
      $0.street.name = "Main"
      $0.street.number = 7
    }
    await store.send(.set(\.street.number, -1)) {
      $0.street.number = 1
    }
  }

  @Test
  func submit() async {
    let store = TestStore(initialState: Registration.State(email: "blob@example.org")) {
      Registration()
    } withDependencies: {
      $0[RegistrationClient.self].register = { email in
        #expect(email == "blob@example.org")
        return Receipt(number: 1)
      }
    }
    await store.send(.view(.submitButtonTapped)) {
      $0.isSubmitting = true
    }
    await store.receive(\.submitResponse.success) {
      $0 = Registration.State()
    }
  }

  @Test
  func refusal() async {
    let store = TestStore(initialState: Registration.State(email: "blob@example.org")) {
      Registration()
    } withDependencies: {
      $0[RegistrationClient.self].register = { _ in throw Refused() }
    }
    store.exhaustivity = .off
    await store.send(\.view.submitButtonTapped) {
      $0.isSubmitting = true
    }
    await store.receive(\.submitResponse.failure) {
      $0.isSubmitting = false
    }
  }

  @Test
  func anEndpointThatNobodyGaveIsAnIssue() async {
    await withKnownIssue {
      let store = TestStore(initialState: Registration.State(email: "blob@example.org")) {
        Registration()
      }
      store.exhaustivity = .off
      await store.send(\.view.submitButtonTapped)
      await store.receive(\.submitResponse.failure)
    } matching: { issue in
      issue.comments.contains {
        $0.rawValue.contains("Unimplemented: 'RegistrationClient.register'")
      }
    }
  }

  @Test
  func screen() async {
    let store = Store(initialState: Registration.State()) {
      Registration()
    } withDependencies: {
      $0[RegistrationClient.self].register = { _ in Receipt(number: 2) }
    }
    let screen = RegistrationScreen(store: store)
    #expect(screen.lines == ["Email: ", "City: ", "(Register)"])
    screen.type(email: "blob@example.org")
    store.scope(state: \.address, action: \.address).city = "Brooklyn"
    #expect(screen.lines == ["Email: blob@example.org", "City: Brooklyn", "[Register]"])
    await screen.pressReturn()
    #expect(screen.lines == ["Email: ", "City: ", "(Register)"])
  }

  @Test
  func recordedAndReplayed() async throws {
    let log = TemporaryLog()
    let recording = try Recording(at: log.path)
    let store = Store(initialState: Registration.State()) {
      Registration()
        .recorded(by: recording)
    }
    let address = store.scope(state: \.address, action: \.address)
    store.email = "blob@"
    store.isNewsletterOn = true
    store.topics = [.offers, .events]
    address.street.name = "Main"
    address.street.number = 0
    address.postcode = "x"
    try recording.close()

    let states = try log.states { Registration() }
    #expect(states.count == 7)
    #expect(states.last == store.withState { $0 })
    #expect(states.last?.address.street == AddressForm.Street(name: "Main", number: 1))
    #expect(states.last?.problems == [.postcode])
  }
}
