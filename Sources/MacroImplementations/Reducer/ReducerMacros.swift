import SwiftSyntaxMacros

var reducerMacros: [String: any Macro.Type] {
  [
    "ObservableStateMacro": ObservableStateMacro.self,
    "ObservationStateIgnoredMacro": ObservationStateIgnoredMacro.self,
    "ObservationStateTrackedMacro": ObservationStateTrackedMacro.self,
    "PresentsMacro": PresentsMacro.self,
    "ReducerCaseEphemeralMacro": ReducerCaseEphemeralMacro.self,
    "ReducerCaseIgnoredMacro": ReducerCaseIgnoredMacro.self,
    "ReducerMacro": ReducerMacro.self,
    "ViewActionMacro": ViewActionMacro.self,
  ]
}
