import ComposableArchitecture
import Foundation
import TestSupport
import Testing

@ObservableState
private struct Settings: Equatable, Sendable, Recordable {
  var isOn = false
  var color = Color.red
  var nothing: Nothing?

  enum Color: String, Codable, Equatable { case red, blue }
  struct Nothing: Equatable {}

  func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
    try self.isOn.encode(to: &writer)
  }
  init() {}
  init(from reader: inout RecordReader) throws(RecordDecodingError) {
    self.init()
    self.isOn = try Bool(from: &reader)
  }
  static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition {
    .structure(name: "Settings", fields: [.init("isOn", schema.type(Bool.self))])
  }
}

@ObservableState
private struct Form: Equatable {
  var text = ""
  var settings = Settings()
}

/// Binding actions in records, by the names of what they write.
@Suite(.mainSerialExecutor)
struct BindingRecordTests {
  private func roundTrip(_ action: BindingAction<Form>) throws -> BindingAction<Form> {
    let bytes = try RecordWriter.bytes(of: action)
    return try bytes.withUnsafeBytes { buffer in
      var reader = RecordReader(buffer)
      let read = try BindingAction<Form>(from: &reader)
      try reader.finish()
      return read
    }
  }

  @Test func writesComeBack() throws {
    var settings = Settings()
    settings.isOn = true
    let actions: [BindingAction<Form>] = [
      .set(\.text, "a"), .set(\.settings, settings), .set(\.settings.isOn, true),
      .set(\.settings.color, .blue),
    ]
    for action in actions { #expect(try roundTrip(action) == action) }
  }

  @Test func whatIsNoListedPropertyComesBackAsAnActionThatWritesNothing() throws {
    let action = try roundTrip(BindingAction<Form>.set(\.settings.nothing, Settings.Nothing()))
    #expect(action.keyPath == \Form.self)
  }

  @Test func theSchemaHasTheNames() throws {
    let schema = RecordSchema(of: BindingAction<Form>.self)
    guard case .enumeration("BindingAction", let cases) = schema.types.first else {
      Issue.record("The schema is of another kind.")
      return
    }
    #expect(
      cases.map(\.name)
        == ["unknown", "text", "settings", "settings.isOn", "settings.color"])
  }

  @Test func dumps() {
    #expect(
      String(customDumping: BindingAction<Form>.set(\.settings.isOn, true))
        == #".set(\.settings.isOn, true)"#)
  }
}
