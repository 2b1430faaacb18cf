import ComposableArchitecture
import Foundation
import Testing

/// Binding actions as JSON, by the names of what they write.
struct BindingCodableTests {
  @ObservableState
  fileprivate struct Address: Equatable {
    var city = ""
  }

  @ObservableState
  fileprivate struct Form: Equatable {
    var name = ""
    var age: Int?
    var address = Address()
  }

  fileprivate enum Action: Codable, Equatable {
    case binding(BindingAction<Form>)
    case save
  }

  @Test func actionsComeBack() throws {
    let actions: [Action] = [
      .binding(.set(\.name, "Blob")), .binding(.set(\.age, 42)), .binding(.set(\.age, nil)),
      .binding(.set(\.address.city, "Seoul")), .save,
    ]
    let data = try JSONEncoder().encode(actions)
    #expect(try JSONDecoder().decode([Action].self, from: data) == actions)
  }

  @Test func theNameIsTheKey() throws {
    let data = try JSONEncoder().encode(BindingAction<Form>.set(\.address.city, "Seoul"))
    #expect(String(decoding: data, as: UTF8.self) == #"{"address.city":"Seoul"}"#)
  }

  @Test func aPropertyThatIsNotThereIsSaid() {
    let data = Data(#"{"size":1}"#.utf8)
    #expect {
      _ = try JSONDecoder().decode(BindingAction<Form>.self, from: data)
    } throws: { error in
      guard case DecodingError.dataCorrupted(let context) = error else { return false }
      return context.debugDescription.hasSuffix(
        "has no property 'size' that a binding action may write.")
    }
  }

  @Test func moreThanOnePropertyIsSaid() {
    let data = Data(#"{"name":"a","age":1}"#.utf8)
    #expect {
      _ = try JSONDecoder().decode(BindingAction<Form>.self, from: data)
    } throws: { error in
      guard case DecodingError.dataCorrupted(let context) = error else { return false }
      return context.debugDescription
        == "A binding action has one entry, the property that it writes; here are 2."
    }
  }

  @Test func whatHasNoNameCannotBeEncoded() {
    #expect(throws: EncodingError.self) {
      _ = try JSONEncoder().encode(BindingAction<Form>.set(\.name.isEmptied, true))
    }
  }
}

extension String {
  fileprivate var isEmptied: Bool {
    get { self.isEmpty }
    set { if newValue { self = "" } }
  }
}
