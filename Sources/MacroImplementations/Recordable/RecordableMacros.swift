import SwiftSyntaxMacros

let recordableMacros: [String: any Macro.Type] = [:]
