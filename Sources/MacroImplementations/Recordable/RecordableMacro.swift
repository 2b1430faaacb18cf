public import SwiftSyntax
import SwiftSyntaxBuilder
public import SwiftSyntaxMacros

/// `@Recordable`: the conformance of an enum or a struct, and the same macro on those nested in it.
public struct RecordableMacro {}

extension RecordableMacro: ExtensionMacro {
  public static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    // The compiler leaves out what the type conforms to already, and the macro then writes nothing.
    guard !protocols.isEmpty else { return [] }
    let scopes = context.lexicalContext
    if let message = RecordableMessage(declaration, nestedIn: scopes) {
      context.diagnose(message.diagnostic(at: node))
      return []
    }
    let target = RecordableTarget(declaration: declaration, type: type, lexicalContext: scopes)
    let members: [String]
    if let declaration = declaration.as(EnumDeclSyntax.self) {
      members = RecordableEnum(declaration, target: target).members
    } else if let declaration = declaration.as(StructDeclSyntax.self) {
      members = RecordableStruct(declaration, target: target).members
    } else {
      return []
    }
    let text = """
      \(target.availability)extension \(type.trimmedDescription): ActionCoding.Recordable {
      \(members.joined(separator: "\n\n"))
      }
      """
    guard let decl = DeclSyntax(stringLiteral: text).as(ExtensionDeclSyntax.self) else { return [] }
    return [decl]
  }
}

extension RecordableMacro: MemberAttributeMacro {
  public static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingAttributesFor member: some DeclSyntaxProtocol, in context: some MacroExpansionContext
  ) throws -> [AttributeSyntax] {
    // For a generic parameter the compiler passes the declaration itself once more.
    guard RecordableTarget.wantsRecordable(member),
      member.trimmedDescription != declaration.trimmedDescription
    else { return [] }
    let level = node.lastName.last?.wholeNumberValue ?? 0
    return ["@ActionCoding._RecordableNested\(raw: level + 1)"]
  }
}
