import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@CasePathable`: a type with a case path for each case of an enum, and the conformance.
enum CasePathableMacro {}

extension CasePathableMacro: ExtensionMacro {
  static func expansion(
    of node: AttributeSyntax,
    attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    guard let declaration = declaration.as(EnumDeclSyntax.self), !protocols.isEmpty,
      !isHidden(declaration, in: context)
    else { return [] }
    let written = declaration.inheritanceClause
    let names = ["CasePathable", "CasePathIterable"].filter { name in
      guard protocols.contains(where: { $0.trimmedDescription.hasSuffix(name) }) else {
        return false
      }
      return !written.inherits(name)
    }
    guard !names.isEmpty, !declaresCasePaths(declaration) else { return [] }
    let conformances = names.map { "nonisolated CasePaths.\($0)" }.joined(separator: ", ")
    let source: DeclSyntax = """
      \(raw: declaration.attributes.availability)extension \(type.trimmed): \(raw: conformances) {}
      """
    return [source.cast(ExtensionDeclSyntax.self)]
  }

  /// Whether the extension could not name the enum; says so, once.
  private static func isHidden(
    _ declaration: EnumDeclSyntax, in context: some MacroExpansionContext
  ) -> Bool {
    let own = declaration.modifiers.first(where: hides)
    let outer = context.lexicalContext.compactMap {
      $0.asProtocol((any WithModifiersSyntax).self)?.modifiers
    }
    // What is private at the top of a file is seen in the whole file.
    let isNested = !outer.isEmpty
    guard
      (isNested && own != nil) || outer.dropLast().contains(where: { $0.contains(where: hides) })
    else { return false }
    context.diagnose(
      own.map(Syntax.init) ?? Syntax(declaration.introducer),
      """
      '@CasePathable' can't name '\(declaration.name.text)' from outside of a private type; use \
      'fileprivate' in place of 'private', or write the conformance to 'CasePathable' by hand
      """
    )
    return true
  }

  private static func hides(_ modifier: DeclModifierSyntax) -> Bool {
    modifier.name.tokenKind == .keyword(.private) && modifier.detail == nil
  }

  private static func declaresCasePaths(_ declaration: EnumDeclSyntax) -> Bool {
    declaration.memberBlock.members.contains { member in
      member.decl.asProtocol((any NamedDeclSyntax).self)?.name.text == "AllCasePaths"
    }
  }
}

extension CasePathableMacro: MemberMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let declaration = declaration.as(EnumDeclSyntax.self) else {
      let (kind, name) = describe(declaration)
      context.diagnose(
        declaration.introducer, "'@CasePathable' cannot be applied to \(kind) type '\(name)'")
      return []
    }
    guard !declaresCasePaths(declaration) else { return [] }
    var names: Set<String> = []
    let members = CasePathMembers(declaration)
    for element in members.allCases where !names.insert(element.name.text).inserted {
      context.diagnose(
        element.name,
        "'@CasePathable' cannot be applied to overloaded case name '\(element.name.text)'")
      return []
    }
    let access = ExpansionAccess(of: declaration, in: context).prefix
    return members.declarations(access: access)
  }

  private static func describe(_ declaration: some DeclGroupSyntax) -> (String, String) {
    let name = declaration.asProtocol((any NamedDeclSyntax).self)?.name.text ?? ""
    return (declaration.introducer.text, name)
  }
}
