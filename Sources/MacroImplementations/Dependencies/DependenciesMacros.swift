import SwiftSyntaxMacros

let dependencyMacros: [String: any Macro.Type] = [:]
