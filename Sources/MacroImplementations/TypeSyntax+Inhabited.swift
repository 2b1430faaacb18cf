import SwiftSyntax

extension TypeSyntax {
  /// Types that have values whatever a program declares, by the names that an action mostly uses.
  private static let inhabitedNames: Set<String> = [
    "Array", "BindingAction", "Bool", "Character", "Data", "Date", "Decimal", "Dictionary",
    "Double", "Duration", "Float", "IdentifiedArray", "IdentifiedArrayOf", "Int", "Int64",
    "Optional", "PresentationAction", "Set", "String", "UInt", "URL", "UUID", "Void",
  ]

  /// Whether the type has a value for certain, as far as its spelling tells.
  ///
  /// Of code that goes on with a value of a type that has none, as the action of a feature without
  /// actions, the compiler warns that it will never be executed.
  var isInhabited: Bool {
    if let tuple = self.as(TupleTypeSyntax.self) {
      return tuple.elements.allSatisfy { $0.type.isInhabited }
    }
    guard let type = self.as(IdentifierTypeSyntax.self) else {
      return [
        .optionalType, .arrayType, .dictionaryType, .functionType, .someOrAnyType,
      ].contains(kind)
    }
    guard type.name.text == "Result" else { return Self.inhabitedNames.contains(type.name.text) }
    return type.genericArgumentClause?.arguments.contains { argument in
      guard case .type(let side) = argument.argument else { return false }
      return side.isInhabited
    } ?? false
  }
}
