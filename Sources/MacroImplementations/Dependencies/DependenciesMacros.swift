import SwiftSyntaxMacros

var dependencyMacros: [String: any Macro.Type] {
  [
    "DependencyClientMacro": DependencyClientMacro.self,
    "DependencyEndpointMacro": DependencyEndpointMacro.self,
    "DependencyEndpointIgnoredMacro": DependencyEndpointIgnoredMacro.self,
    "DependencyEntryMacro": DependencyEntryMacro.self,
  ]
}
