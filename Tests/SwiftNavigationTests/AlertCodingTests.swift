import ActionCoding
import Foundation
import SwiftNavigation
import Testing

@Recordable
enum Answer: Hashable, Codable {
  case yes
  case named(String)
}

@Suite struct AlertCodingTests {
  private let alert = AlertState<Answer> {
    TextState("Name?")
  } actions: {
    ButtonState(action: .named("x")) { TextState("x") + TextState("y") }
    ButtonState(role: .cancel) { TextState("no") }
  }
  private let dialog = ConfirmationDialogState<Answer>(titleVisibility: .hidden) {
    TextState("Sure?")
  } actions: {
    ButtonState(role: .destructive, action: .yes) { TextState("yes") }
  } message: {
    TextState("Think.")
  }

  private func json<T: Encodable>(_ value: T) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private func read<T: Recordable>(_ bytes: [UInt8], as type: T.Type = T.self) throws -> T {
    try bytes.withUnsafeBytes { bytes in
      var reader = RecordReader(bytes)
      let value = try T(from: &reader)
      try reader.finish()
      return value
    }
  }

  @Test func codableForm() throws {
    #expect(
      try json(self.alert) == """
        {"buttons":[{"action":{"named":{"_0":"x"}},"label":["x","y"]},\
        {"label":"no","role":{"cancel":{}}}],"title":"Name?"}
        """)
    let alert = try JSONDecoder().decode(
      AlertState<Answer>.self, from: JSONEncoder().encode(self.alert))
    #expect(alert == self.alert)
    #expect(alert.id != self.alert.id)
    let dialog = try JSONDecoder().decode(
      ConfirmationDialogState<Answer>.self, from: JSONEncoder().encode(self.dialog))
    #expect(dialog == self.dialog)
    let action = try JSONDecoder().decode(
      [ButtonStateAction<Answer>].self,
      from: JSONEncoder().encode([ButtonStateAction<Answer>.send(.yes), .send(nil)]))
    #expect(action == [.send(.yes), .send(nil)])
  }

  @Test func recordedForm() throws {
    let alert: AlertState<Answer> = try read(try RecordWriter.bytes(of: self.alert))
    #expect(alert == self.alert)
    #expect(alert.id != self.alert.id)
    let dialog: ConfirmationDialogState<Answer> = try read(
      try RecordWriter.bytes(of: self.dialog))
    #expect(dialog == self.dialog)
    let action: ButtonStateAction<Answer> = try read(
      try RecordWriter.bytes(of: ButtonStateAction<Answer>.send(.named("z"))))
    #expect(action == .send(.named("z")))
    let never: AlertState<Never> = try read(
      try RecordWriter.bytes(of: AlertState<Never> { TextState("Done") }))
    #expect(never == AlertState { TextState("Done") })
  }

  @Test func equalValuesGiveEqualBytes() throws {
    let other = self.alert.map { $0 }
    let again = AlertState<Answer> {
      TextState("Name?")
    } actions: {
      ButtonState(action: .named("x")) { TextState("x") + TextState("y") }
      ButtonState(role: .cancel) { TextState("no") }
    }
    let bytes = try RecordWriter.bytes(of: self.alert)
    #expect(try RecordWriter.bytes(of: other) == bytes)
    #expect(try RecordWriter.bytes(of: again) == bytes)
  }

  @Test func schemaReadsTheBytes() throws {
    let schema = RecordSchema(of: AlertState<Answer>.self)
    let value = try RecordValue(try RecordWriter.bytes(of: self.alert), schema: schema)
    #expect(
      value.json() == """
        {"title":["Name?"],"message":null,"buttons":[{"role":null,"action":{"named":{"_0":"x"}},\
        "label":["x","y"]},{"role":{"cancel":{}},"action":null,"label":["no"]}]}
        """)
  }

  @Test func unknownCasesAreErrors() {
    #expect(throws: RecordDecodingError.self) { try read([2], as: ButtonStateRole.self) }
    #expect(throws: RecordDecodingError.self) {
      try read([3], as: ConfirmationDialogStateTitleVisibility.self)
    }
  }
}
