import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@Reducer`: the conformance of a feature and what its source leaves out.
enum ReducerMacro {}

extension ReducerMacro: ExtensionMacro {
  static func expansion(
    of node: AttributeSyntax,
    attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    guard declaration.is(StructDeclSyntax.self), !protocols.isEmpty,
      !declaration.inheritanceClause.inherits("Reducer")
    else { return [] }
    let source: DeclSyntax = """
      \(raw: declaration.attributes.availability)extension \(type.trimmed): \
      ComposableArchitecture.Reducer {}
      """
    return [source.cast(ExtensionDeclSyntax.self)]
  }
}

extension ReducerMacro: MemberMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let declaration = declaration.as(StructDeclSyntax.self) else {
      context.diagnose(
        declaration.introducer, "'@Reducer' can only be applied to struct or enum types")
      return []
    }
    let feature = ReducerStruct(declaration)
    if feature.hasBody, let method = feature.reduceMethod {
      context.diagnose(
        method.name,
        """
        A 'reduce' method should not be defined in a reducer with a 'body'; it takes precedence \
        and 'body' will never be invoked
        """,
        severity: .warning
      )
    }
    return feature.absentMembers(access: ExpansionAccess(of: declaration, in: context).prefix)
  }
}

extension ReducerMacro: MemberAttributeMacro {
  static func expansion(
    of node: AttributeSyntax,
    attachedTo declaration: some DeclGroupSyntax,
    providingAttributesFor member: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [AttributeSyntax] {
    guard declaration.is(StructDeclSyntax.self) else { return [] }
    if let property = member.as(VariableDeclSyntax.self) {
      guard property.soleName?.plain == "body", !property.isStatic,
        property.bindings.first?.accessorBlock != nil,
        !property.attributes.spelledNames.contains(where: { $0.hasSuffix("Builder") })
      else { return [] }
      let (state, action) =
        ReducerStruct.genericArguments(ofBody: property)
        ?? ("Self.State", "Self.Action")
      return ["@ComposableArchitecture.ReducerBuilder<\(raw: state), \(raw: action)>"]
    }
    guard let nested = NestedType(member) else { return [] }
    var attributes: [AttributeSyntax] = []
    if nested.isEnum {
      if nested.name == "Action" || nested.name == "State", !nested.has("CasePathable") {
        attributes.append("@CasePaths.CasePathable")
      }
      if nested.name == "State", !nested.has("dynamicMemberLookup") {
        attributes.append("@dynamicMemberLookup")
      }
    }
    if nested.isRecorded {
      attributes.append("@ActionCoding.Recordable")
    }
    return attributes
  }
}

/// An enum or struct that is nested in a feature.
private struct NestedType {
  var name: String
  var isEnum: Bool
  var attributes: AttributeListSyntax
  var modifiers: DeclModifierListSyntax
  var inheritance: InheritanceClauseSyntax?

  init?(_ member: some DeclSyntaxProtocol) {
    guard member.is(EnumDeclSyntax.self) || member.is(StructDeclSyntax.self),
      let group = member.asProtocol((any DeclGroupSyntax).self),
      let named = member.asProtocol((any NamedDeclSyntax).self)
    else { return nil }
    self.name = named.name.text
    self.isEnum = member.is(EnumDeclSyntax.self)
    self.attributes = group.attributes
    self.modifiers = group.modifiers
    self.inheritance = group.inheritanceClause
  }

  /// Whether an attribute or, for a macro that adds a conformance, the conformance is written.
  func has(_ name: String) -> Bool {
    attributes.hasAttribute(name) || inheritance.inherits(name)
  }

  /// Whether the feature makes the type recordable: not one that sees to it itself, nor one that
  /// is no part of a state or an action.
  var isRecorded: Bool {
    let others = [
      "Recordable", "Reducer", "DependencyClient", "DependencyKey", "TestDependencyKey",
      "propertyWrapper", "resultBuilder", "main",
    ]
    if others.contains(where: has) { return false }
    let isCopyable =
      inheritance?.inheritedTypes.contains {
        $0.type.is(SuppressedTypeSyntax.self)
      } != true
    // An extension outside of the feature can't name a private type.
    let isHidden = modifiers.contains { $0.name.tokenKind == .keyword(.private) }
    return isCopyable && !isHidden
  }
}

extension VariableDeclSyntax {
  fileprivate var isStatic: Bool {
    modifiers.contains {
      $0.name.tokenKind == .keyword(.static) || $0.name.tokenKind == .keyword(.class)
    }
  }
}
