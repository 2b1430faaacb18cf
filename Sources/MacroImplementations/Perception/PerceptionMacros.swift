import SwiftSyntaxMacros

var perceptionMacros: [String: any Macro.Type] {
  [
    "PerceptibleMacro": PerceptibleMacro.self,
    "PerceptionIgnoredMacro": PerceptionIgnoredMacro.self,
    "PerceptionTrackedMacro": PerceptionTrackedMacro.self,
  ]
}
