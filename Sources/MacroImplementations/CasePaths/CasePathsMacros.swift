import SwiftSyntaxMacros

var casePathMacros: [String: any Macro.Type] {
  ["CasePathableMacro": CasePathableMacro.self]
}
