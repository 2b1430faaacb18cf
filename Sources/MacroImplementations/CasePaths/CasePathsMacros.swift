import SwiftSyntaxMacros

let casePathMacros: [String: any Macro.Type] = [:]
