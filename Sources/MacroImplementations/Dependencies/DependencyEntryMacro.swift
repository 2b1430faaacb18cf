import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@DependencyEntry`: a key for a property of `DependencyValues`, and its accessors.
enum DependencyEntryMacro {
  private struct Entry {
    var property: ClientProperty
    var keyName: String
    var liveValue: ExprSyntax?
    var previewValue: ExprSyntax?
  }

  private static func entry(
    _ node: AttributeSyntax, _ declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext, isSilent: Bool
  ) -> Entry? {
    func refuse(_ message: String) -> Entry? {
      if !isSilent { context.refuse(node, message) }
      return nil
    }
    guard let variable = declaration.as(VariableDeclSyntax.self),
      let property = ClientProperty(variable), !property.isConstant
    else {
      return refuse("'@DependencyEntry' can only be applied to a 'var' with no accessors")
    }
    if let around = context.lexicalContext.first {
      let name = around.as(ExtensionDeclSyntax.self)?.extendedType.trimmedDescription
      guard let name, name.split(separator: ".").last == "DependencyValues" else {
        return refuse(
          "'@DependencyEntry' can only be applied to a property of an extension of 'DependencyValues'"
        )
      }
    }
    var entry = Entry(property: property, keyName: "__Key_" + property.plainName)
    if case .argumentList(let arguments)? = node.arguments {
      for argument in arguments {
        switch argument.label?.text {
        case "liveValue": entry.liveValue = argument.expression.trimmed
        case "previewValue": entry.previewValue = argument.expression.trimmed
        default:
          let literal = argument.expression.as(StringLiteralExprSyntax.self)
          guard let name = literal?.representedLiteralValue, !name.isEmpty else {
            return refuse("The key's name must be a static string literal that is not empty")
          }
          entry.keyName = name
        }
      }
    }
    guard property.initialValue != nil || entry.liveValue != nil else {
      return refuse(
        "'@DependencyEntry' requires '\(property.name)' to have an initial value, its test value")
    }
    return entry
  }
}

extension DependencyEntryMacro: AccessorMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingAccessorsOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [AccessorDeclSyntax] {
    guard let entry = entry(node, declaration, in: context, isSilent: true) else { return [] }
    return [
      """
      get {
        self[\(raw: entry.keyName).self]
      }
      """,
      """
      set {
        self[\(raw: entry.keyName).self] = newValue
      }
      """,
    ]
  }
}

extension DependencyEntryMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let entry = entry(node, declaration, in: context, isSilent: false) else { return [] }
    let access: String = entry.property.access.prefix
    let annotation = entry.property.declaration.bindings.first?.typeAnnotation?.type.trimmed
    let type: String = annotation.map { ": \($0)" } ?? ""
    var members: [String] = []
    if let annotation { members.append("\(access)typealias Value = \(annotation)") }
    func add(_ name: String, _ value: ExprSyntax?) {
      guard let value else { return }
      members.append("\(access)static let \(name)\(type) = \(value)")
    }
    add("liveValue", entry.liveValue)
    add("previewValue", entry.previewValue)
    add("testValue", entry.property.initialValue)
    let key: String = entry.liveValue == nil ? "_DependencyEntryTestKey" : "_DependencyEntryKey"
    return [
      """
      \(raw: access)enum \(raw: entry.keyName): \(raw: key) {
        \(raw: members.joined(separator: "\n  "))
      }
      """
    ]
  }
}
