import Foundation
import MacroImplementations
import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import Testing

struct RedactedExpansionTests {
  // Neither read nor written, and each with what stands for it.
  @Test func propertiesAreLeftOut() throws {
    #expect(
      try expansion(
        of: #"""
          @ObservableState
          @Recordable
          struct State {
            @Redacted var password = "default"
            @Redacted var token: String?
            @Redacted let constant = 5
            @Redacted let key: Data
            @Redacted @Shared(.pin) var pin = 1234
            @Redacted var pair: (Int, Result<Int, any Error>)
          }
          """#)
          == #"""
          extension State: ActionCoding.Recordable {
            nonisolated func encode(
              to writer: inout ActionCoding.RecordWriter
            ) throws(ActionCoding.RecordOverflow) {

            }

            nonisolated init(
              from reader: inout ActionCoding.RecordReader
            ) throws(ActionCoding.RecordDecodingError) {
              self._password = "default"
              do {
                let type = ActionCoding.RecordFieldType { (root: Self) in
                  root._token
                }
                self._token = try reader.getRedacted(type)
              }
              do {
                let type = ActionCoding.RecordFieldType { (root: Self) in
                  root.key
                }
                self.key = try reader.getRedacted(type)
              }
              do {
                let type = ActionCoding.RecordFieldType { (root: Self) in
                  root._pin
                }
                self._pin = try reader.getRedacted(type)
              }
              do {
                let type = ActionCoding.RecordFieldType { (root: Self) in
                  root._pair
                }
                let value_0Type = type.part {
                  $0.0
                }
                let value_0 = try reader.getRedacted(value_0Type)
                let value_1Type = type.part {
                  $0.1
                }
                let value_1 = try reader.getRedacted(value_1Type)
                self._pair = (value_0, value_1)
              }
            }

            nonisolated static func recordDefinition(
              in schema: inout ActionCoding.RecordSchemaBuilder
            ) -> ActionCoding.RecordSchema.Definition {
              var fields: [ActionCoding.RecordSchema.Field] = []
              do {
                let type = ActionCoding.RecordFieldType { (root: Self) in
                  root._password
                }
                fields.append(.init("password", schema.redacted(type)))
              }
              do {
                let type = ActionCoding.RecordFieldType { (root: Self) in
                  root._token
                }
                fields.append(.init("token", schema.redacted(type)))
              }
              do {
                let type = ActionCoding.RecordFieldType { (root: Self) in
                  root.constant
                }
                fields.append(.init("constant", schema.redacted(type), isConstant: true))
              }
              do {
                let type = ActionCoding.RecordFieldType { (root: Self) in
                  root.key
                }
                fields.append(.init("key", schema.redacted(type)))
              }
              do {
                let type = ActionCoding.RecordFieldType { (root: Self) in
                  root._pin
                }
                fields.append(.init("pin", schema.redacted(type)))
              }
              do {
                let type = ActionCoding.RecordFieldType { (root: Self) in
                  root._pair
                }
                let type_0 = type.part {
                  $0.0
                }
                let type_1 = type.part {
                  $0.1
                }
                fields.append(.init("pair", schema.tuple([("_0", schema.redacted(type_0)), ("_1", schema.redacted(type_1))])))
              }
              return .structure(name: "State", fields: fields)
            }
          }
          """#)
  }

  @Test func ofCasesThereIsTheNumberAlone() throws {
    #expect(
      try expansion(
        of: #"""
          @Recordable
          enum Action {
            case tapped
            @Redacted case password(String, confirmed: String), pin(digits: [Int] = [0])
            #if DEBUG
              @Redacted case child(Child.Action)
            #endif
          }
          """#)
          == #"""
          extension Action: ActionCoding.Recordable {
            nonisolated func encode(
              to writer: inout ActionCoding.RecordWriter
            ) throws(ActionCoding.RecordOverflow) {
              switch self {
              case .tapped:
                try writer.put(byte: 0)
              case .password:
                try writer.put(byte: 1)
              case .pin:
                try writer.put(byte: 2)
              #if DEBUG
              case .child:
                try writer.put(byte: 3)
              #endif
              }
            }

            nonisolated init(
              from reader: inout ActionCoding.RecordReader
            ) throws(ActionCoding.RecordDecodingError) {
              let number = try reader.getCase()
              switch number {
              case 0:
                self = .tapped
              case 1:
                let types = ActionCoding.recordFieldTypes(Self.password(_:confirmed:))
                let value0 = try reader.getRedacted(types.0)
                let value1 = try reader.getRedacted(types.1)
                self = .password(value0, confirmed: value1)
              case 2:
                self = .pin(digits: [0])
              #if DEBUG
              case 3:
                let types = ActionCoding.recordFieldTypes(Self.child)
                let field0 = try reader.field(types) {
                (reader, type) throws(ActionCoding.RecordDecodingError) in
                  try reader.getRedacted(type)
                }
                self = ActionCoding.recordCase(Self.child, field0)
              #endif
              default:
                throw reader.unknownCase(number, of: "Action")
              }
            }

            nonisolated static func recordDefinition(
              in schema: inout ActionCoding.RecordSchemaBuilder
            ) -> ActionCoding.RecordSchema.Definition {
              var cases: [ActionCoding.RecordSchema.Case] = []
              cases.append(.init(index: 0, name: "tapped"))
              do {
                let types = ActionCoding.recordFieldTypes(Self.password(_:confirmed:))
                var fields: [ActionCoding.RecordSchema.Field] = []
                fields.append(.init("_0", schema.redacted(types.0)))
                fields.append(.init("confirmed", schema.redacted(types.1)))
                cases.append(.init(index: 1, name: "password", fields: fields))
              }
              do {
                let types = ActionCoding.recordFieldTypes(Self.pin(digits:))
                var fields: [ActionCoding.RecordSchema.Field] = []
                fields.append(.init("digits", schema.redacted(types)))
                cases.append(.init(index: 2, name: "pin", fields: fields))
              }
              #if DEBUG
              do {
                let types = ActionCoding.recordFieldTypes(Self.child)
                var fields: [ActionCoding.RecordSchema.Field] = []
                fields.append(.init("_0", schema.redacted(types)))
                cases.append(.init(index: 3, name: "child", fields: fields))
              }
              #endif
              return .enumeration(name: "Action", cases: cases)
            }
          }
          """#)
  }

  /// The default that is handed over for a property with this default value.
  private func literal(_ value: String) throws -> String? {
    let text = try expansion(of: "@Recordable struct A { var a = \(value) }")
    let parts = text.components(separatedBy: "default: ")
    return parts.count == 2 ? parts[1].components(separatedBy: "))\n").first : nil
  }

  @Test(arguments: [
    "1", "-1", "0xff", "1.5", "-2e3", "true", "nil", "\"text\"", "#\"a\\\"#", "[]", "[:]",
    "[1, -2]", "[\"a\": [1, nil]]",
  ])
  func literalsAreHandedOver(value: String) throws {
    #expect(try self.literal(value) == value)
  }

  @Test(arguments: [
    "UUID()", ".idle", "Int.max", "1 + 1", "[UUID()]", "\"a\\(b)\"", "{ 1 }()", "-x", "!true",
    "[1: f()]", "\"\"\"\na\n\"\"\"", "(1)", "x as Int",
  ])
  func whatIsComputedIsNot(value: String) throws {
    #expect(try self.literal(value) == nil)
  }

  @Test func longLiteralsAreNot() throws {
    #expect(try self.literal("\"\(String(repeating: "x", count: 1_998))\"") != nil)
    #expect(try self.literal("\"\(String(repeating: "x", count: 1_999))\"") == nil)
  }

  private func diagnostics(_ source: String) throws -> [String] {
    let type = try #require(macroTypes["RedactedMacro"])
    let file = Parser.parse(source: source)
    let context = BasicMacroExpansionContext(
      sourceFiles: [file: .init(moduleName: "Test", fullFilePath: "Test.swift")])
    let expanded = file.expand(
      macroSpecs: ["Redacted": MacroSpec(type: type)],
      contextGenerator: { syntax in
        BasicMacroExpansionContext(
          sharingWith: context, lexicalContext: syntax.allMacroLexicalContexts())
      }, indentationWidth: .spaces(2))
    #expect(expanded.description == source.replacing("@Redacted ", with: ""))
    return context.diagnostics.map(\.message)
  }

  @Test func onlyWhatIsRecordedCanBeRedacted() throws {
    let message = """
      '@Redacted' can only be applied to a stored property or an enum's case: nothing else is recorded
      """
    for member in [
      "var a = 1", "let a: Int", "var a = 1 { didSet {} }", "@Shared(.a) var a = 1", "case a(Int)",
    ] {
      #expect(try self.diagnostics("enum A {\n  @Redacted \(member)\n}") == [])
    }
    for member in [
      "var a: Int { 1 }", "static let a = 1", "lazy var a = 1", "func a() {}", "struct B {}",
    ] {
      #expect(try self.diagnostics("enum A {\n  @Redacted \(member)\n}") == [message])
    }
  }
}
