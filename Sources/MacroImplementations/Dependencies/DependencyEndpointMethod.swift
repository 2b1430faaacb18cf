import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

extension DependencyEndpointMacro {
  /// The method with the labels of the closure's parameters; nil when no name was given to any
  /// of them nor to the method.
  static func method(
    of property: ClientProperty, function: FunctionTypeSyntax, node: AttributeSyntax,
    in context: some MacroExpansionContext
  ) -> DeclSyntax? {
    let name: String? = methodName(node, in: context)
    let isLabelled: Bool = function.parameters.contains { $0.secondName != nil }
    guard isLabelled || name != nil else { return nil }
    var parameters: [String] = []
    var arguments: [String] = []
    for (index, parameter) in function.parameters.enumerated() {
      let label: String = parameter.secondName?.text ?? "_"
      parameters.append("\(label) p\(index): \(parameter.type.trimmed)")
      arguments.append((isInOut(parameter.type) ? "&" : "") + argument(parameter, index))
    }
    let effects: Effects = effects(of: function)
    let result: String = function.isVoid ? "" : " -> \(function.returnClause.type.trimmed)"
    let attributes: String = methodAttributes(of: property)
    let access: String = property.access.prefix
    let call = "\(effects.call)self.\(property.name)(\(arguments.joined(separator: ", ")))"
    return """
      \(raw: attributes)\(raw: access)func \(raw: name ?? property.name)(\
      \(raw: parameters.joined(separator: ", ")))\(raw: effects.declaration)\(raw: result) {
        \(raw: call)
      }
      """
  }

  private static func methodName(
    _ node: AttributeSyntax, in context: some MacroExpansionContext
  ) -> String? {
    guard case .argumentList(let arguments)? = node.arguments,
      let value = arguments.first(where: { $0.label?.text == "method" })?.expression
    else { return nil }
    guard let literal = value.as(StringLiteralExprSyntax.self),
      let text = literal.representedLiteralValue, !text.isEmpty
    else {
      context.refuse(value, "'method' must be a static string literal that is not empty")
      return nil
    }
    return text
  }

  private static func argument(_ parameter: TupleTypeElementSyntax, _ index: Int) -> String {
    isAutoclosure(parameter.type) ? "p\(index)()" : "p\(index)"
  }

  private static func isInOut(_ type: TypeSyntax) -> Bool {
    guard let attributed = type.as(AttributedTypeSyntax.self) else { return false }
    return attributed.specifiers.contains { specifier in
      specifier.as(SimpleTypeSpecifierSyntax.self)?.specifier.tokenKind == .keyword(.inout)
    }
  }

  private static func isAutoclosure(_ type: TypeSyntax) -> Bool {
    type.as(AttributedTypeSyntax.self)?.attributes.carriesAttribute("autoclosure") ?? false
  }

  /// `async` and `throws` where a function is declared and where it is called.
  private struct Effects {
    var declaration = ""
    var call = ""
  }

  private static func effects(
    of function: FunctionTypeSyntax
  ) -> Effects {
    var text = Effects()
    guard let effects = function.effectSpecifiers else { return text }
    text.declaration = " \(effects.trimmed)"
    if effects.throwsClause != nil { text.call += "try " }
    if effects.asyncSpecifier != nil { text.call += "await " }
    return text
  }

  /// What the closure's type and the property say about where and when they may be used.
  private static func methodAttributes(of property: ClientProperty) -> String {
    var text = ""
    for element in property.declaration.attributes {
      guard case .attribute(let attribute) = element else { continue }
      if attribute.baseName == "available" { text += "\(attribute.trimmed)\n" }
    }
    var type: TypeSyntax? = property.type
    while let attributed = type?.as(AttributedTypeSyntax.self) {
      for element in attributed.attributes {
        guard case .attribute(let attribute) = element,
          !["Sendable", "escaping", "convention", "concurrent"].contains(attribute.baseName)
        else { continue }
        // A global actor.
        text += "\(attribute.trimmed)\n"
      }
      type = attributed.baseType
    }
    return text
  }
}
