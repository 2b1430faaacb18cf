import SwiftSyntaxMacros

var reducerMacros: [String: any Macro.Type] {
  [
    "ObservableStateMacro": ObservableStateMacro.self,
    "ObservationStateIgnoredMacro": ObservationStateIgnoredMacro.self,
    "ObservationStateTrackedMacro": ObservationStateTrackedMacro.self,
    "PresentsMacro": PresentsMacro.self,
    "ReducerMacro": ReducerMacro.self,
  ]
}
