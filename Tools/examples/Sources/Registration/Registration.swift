import ComposableArchitecture

/// A form in two parts, whose fields are bound to controls.
@Reducer
struct Registration {
  @ObservableState
  struct State: Equatable {
    var address = AddressForm.State()
    var email = ""
    var isNewsletterOn = false
    var isSubmitting = false
    var problems: [Problem] = []
    var topics: Set<Topic> = []

    var isSubmitEnabled: Bool { self.problems.isEmpty && !self.email.isEmpty }
  }

  enum Topic: String, CaseIterable, Codable, Sendable {
    case events, offers, releases
  }

  enum Problem: Equatable, Sendable {
    case email
    case postcode
  }

  enum Action: ViewAction {
    case address(AddressForm.Action)
    case submitResponse(Result<Receipt, any Error>)
    case view(View)

    @CasePathable
    enum View: BindableAction {
      case binding(BindingAction<State>)
      case clearButtonTapped
      case submitButtonTapped
    }
  }

  @Dependency(RegistrationClient.self) var client

  var body: some ReducerOf<Self> {
    Scope(state: \.address, action: \.address) {
      AddressForm()
    }
    .onChange(of: \.address.postcode) { _, postcode in
      Reduce { state, _ in
        state.problems.removeAll { $0 == .postcode }
        if !postcode.allSatisfy(\.isNumber) { state.problems.append(.postcode) }
        return .none
      }
    }
    BindingReducer(action: \.view)
      .onChange(of: \.email) { _, email in
        Reduce { state, _ in
          state.problems.removeAll { $0 == .email }
          if !email.isEmpty, !email.contains("@") { state.problems.append(.email) }
          return .none
        }
      }
    Reduce { state, action in
      switch action {
      case .address:
        return .none

      case .submitResponse(.success):
        state = State()
        return .none

      case .submitResponse(.failure):
        state.isSubmitting = false
        return .none

      case .view(.binding(\.isNewsletterOn)):
        state.topics = state.isNewsletterOn ? Set(Topic.allCases) : []
        return .none

      case .view(.binding):
        return .none

      case .view(.clearButtonTapped):
        state = State()
        return .none

      case .view(.submitButtonTapped):
        guard state.isSubmitEnabled else { return .none }
        state.isSubmitting = true
        return .run { [client, email = state.email] send in
          await send(.submitResponse(Result { try await client.register(email) }))
        }
      }
    }
  }
}

/// The part of the form that other forms use as well.
@Reducer
struct AddressForm {
  @ObservableState
  struct State: Equatable {
    var city = ""
    var postcode = ""
    var street = Street()
  }

  struct Street: Equatable {
    var name = ""
    var number = 1
  }

  enum Action: BindableAction {
    case binding(BindingAction<State>)
  }

  var body: some ReducerOf<Self> {
    BindingReducer()
      .onChange(of: \.street.number) { _, number in
        Reduce { state, _ in
          state.street.number = max(1, number)
          return .none
        }
      }
  }
}

struct Receipt: Equatable, Codable, Sendable {
  var number: Int
}

@DependencyClient
struct RegistrationClient: Sendable {
  var register: @Sendable (_ email: String) async throws -> Receipt
}

extension RegistrationClient: TestDependencyKey {
  static let testValue = Self()
}
