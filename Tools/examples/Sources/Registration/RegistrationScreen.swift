import ComposableArchitecture

/// What stands for a view: it shows lines of text, and sends what the user does.
@ViewAction(for: Registration.self)
@MainActor
struct RegistrationScreen {
  let store: StoreOf<Registration>

  var lines: [String] {
    [
      "Email: \(self.store.email)",
      "City: \(self.store.address.city)",
      self.store.isSubmitEnabled ? "[Register]" : "(Register)",
    ]
  }

  func type(email: String) {
    self.store.email = email
  }

  func pressReturn() async {
    await self.send(.submitButtonTapped).finish()
  }
}
