public import SwiftSyntaxMacros

/// The macros of the plug-in, looked up by the name that `#externalMacro(module:type:)` gives.
///
/// Each room of the architecture lists its own macros beside their code.
public nonisolated(unsafe) let macroTypes: [String: any Macro.Type] =
  [casePathMacros, recordableMacros, reducerMacros, dependencyMacros, perceptionMacros]
  .reduce(into: [:]) { $0.merge($1) { first, _ in first } }
