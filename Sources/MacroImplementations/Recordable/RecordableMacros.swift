import SwiftSyntaxMacros

var recordableMacros: [String: any Macro.Type] {
  ["RecordableMacro": RecordableMacro.self, "RedactedMacro": RedactedMacro.self]
}
