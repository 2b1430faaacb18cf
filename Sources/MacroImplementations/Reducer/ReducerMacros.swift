import SwiftSyntaxMacros

let reducerMacros: [String: any Macro.Type] = [:]
