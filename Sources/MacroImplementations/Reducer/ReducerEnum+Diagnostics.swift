import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

extension ReducerEnum {
  /// Says what is wrong with the cases, and tells whether they can be expanded.
  func isValid(in context: some MacroExpansionContext) -> Bool {
    var isValid = true
    for element in cases.flatMap(\.allValues) where element.role == .feature {
      guard let type = element.parameter?.type.as(MemberTypeSyntax.self),
        ["State", "Action"].contains(type.name.text)
      else { continue }
      isValid = false
      let feature = type.baseType.trimmedDescription
      context.diagnose(
        type,
        """
        A case of a '@Reducer' enum holds a feature: '\(type.trimmedDescription)' should be \
        '\(feature)', or the case be marked with '@ReducerCaseIgnored'
        """,
        fixIts: [
          FixIt(
            message: ExpansionMessage(message: "Use '\(feature)'"),
            changes: [
              .replace(oldNode: Syntax(type), newNode: Syntax(type.baseType.trimmed))
            ])
        ])
    }
    return isValid
  }
}

extension ConditionalMember {
  /// The values, whatever `#if` they stand under.
  fileprivate var allValues: [Value] {
    switch self {
    case .value(let value): [value]
    case .conditional(let branches): branches.flatMap { $0.members.flatMap(\.allValues) }
    }
  }
}
