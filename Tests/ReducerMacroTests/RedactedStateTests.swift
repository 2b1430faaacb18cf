import ActionCoding
import ComposableArchitecture
import Foundation
import Testing

@Reducer
private struct Login {
  @ObservableState
  struct State: Equatable {
    var user = ""
    @Redacted var password = "initial"
    @Redacted var pin: Int?
    @Redacted @Presents var child: LoginSheet.State?
    @Redacted @ObservationStateIgnored var secret = "s"
    @Redacted let key = "k"
    @Redacted let given: String
  }

  enum Action: BindableAction {
    case binding(BindingAction<State>)
    @Redacted case passwordChanged(String)
    case child(PresentationAction<LoginSheet.Action>)
  }

  var body: some ReducerOf<Self> {
    BindingReducer()
    Reduce { state, action in
      if case .passwordChanged(let password) = action { state.password = password }
      return .none
    }
    .ifLet(\.$child, action: \.child) { LoginSheet() }
  }
}

@Reducer
private struct LoginSheet {
  struct State: Equatable, Codable { var text = "" }
  enum Action { case tapped }
  var body: some ReducerOf<Self> { EmptyReducer() }
}

@MainActor
struct RedactedStateTests {
  private func text<T: Recordable>(_ value: T) throws -> String {
    let coder = recordCoder(for: T.self)
    let bytes = try coder.bytes(of: value)
    #expect(!String(decoding: bytes, as: UTF8.self).contains("canary"))
    return try RecordValue(bytes, schema: coder.schema).text()
  }

  @Test func aStateIsRecordedWithoutIt() throws {
    var state = Login.State(user: "ann", given: "canary")
    state.password = "canary"
    state.pin = 1234
    state.child = LoginSheet.State(text: "canary")
    state.secret = "canary"
    _ = try self.text(state)
    let coder = recordCoder(for: Login.State.self)
    #expect(try coder.bytes(of: state) == [3] + Array("ann".utf8))
    let back = try coder.value(of: coder.bytes(of: state))
    #expect(back == Login.State(user: "ann", given: ""))
    #expect(back.password == "initial" && back.secret == "s" && back.key == "k")
  }

  @Test func actionsAreRecordedWithoutIt() throws {
    #expect(try self.text(Login.Action.passwordChanged("canary")).contains("passwordChanged"))
    #expect(try self.text(Login.Action.binding(.set(\.password, "canary"))).contains("password"))
    let coder = recordCoder(for: Login.Action.self)
    let back = try coder.value(of: coder.bytes(of: .binding(.set(\.password, "canary"))))
    guard case .binding(let action) = back else {
      Issue.record("\(back)")
      return
    }
    #expect(action == .set(\.password, ""))
    #expect(
      try coder.value(of: coder.bytes(of: .binding(.set(\.user, "x")))).is(\.binding))
    guard case .passwordChanged("") = try coder.value(of: coder.bytes(of: .passwordChanged("x")))
    else {
      Issue.record("another action")
      return
    }
    #expect(coder.schema.unreplayableParts().isEmpty)
  }

  @Test func aRedactedPropertyIsObservedAsAnyOther() async {
    let store = Store(initialState: Login.State(given: "")) { Login() }
    let count = LockIsolated(0)
    let token = observe {
      _ = store.password
      count.withValue { $0 += 1 }
    }
    store.send(.binding(.set(\.password, "new")))
    for _ in 0..<100 where count.value < 2 { await Task.yield() }
    #expect(store.password == "new" && count.value == 2)
    token.cancel()
  }

  // The encoded form of an action is written by whoever encodes it, records included.
  @Test func whatIsRedactedIsNotEncoded() {
    #expect {
      try JSONEncoder().encode(BindingAction<Login.State>.set(\.password, "canary"))
    } throws: {
      guard case EncodingError.invalidValue(let value, let context) = $0 else { return false }
      return !"\(value)".contains("canary")
        && context.debugDescription == """
          The property 'password' of 'Login.State' is redacted, so that what is written to it is \
          not encoded.
          """
    }
  }
}
