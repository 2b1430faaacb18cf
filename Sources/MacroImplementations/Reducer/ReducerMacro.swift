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
    var names = ["Reducer"]
    if declaration.is(EnumDeclSyntax.self) {
      names = ["CaseReducer", "Reducer"]
    } else if !declaration.is(StructDeclSyntax.self) {
      return []
    }
    let absent = names.filter { name in
      protocols.contains { $0.lastName == name } && !declaration.inheritanceClause.inherits(name)
    }
    guard !absent.isEmpty else { return [] }
    let conformances = absent.map { "ComposableArchitecture.\($0)" }.joined(separator: ", ")
    let source: DeclSyntax = """
      \(raw: declaration.attributes.availability)extension \(type.trimmed): \
      \(raw: conformances) {}
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
    let access = ExpansionAccess(of: declaration, in: context).prefix
    if let declaration = declaration.as(EnumDeclSyntax.self) {
      let feature = ReducerEnum(declaration, conformances: SynthesizedConformances(node))
      guard feature.isValid(in: context) else { return [] }
      return feature.absentMembers(
        GeneratedType(in: declaration, access: access, context: context))
    }
    guard let declaration = declaration.as(StructDeclSyntax.self) else {
      context.diagnose(
        declaration.introducer, "'@Reducer' can only be applied to struct or enum types")
      return []
    }
    if node.arguments != nil {
      context.diagnose(
        node,
        """
        '@Reducer(state:action:)' conforms the types that it writes for an enum of features; write \
        conformances on the feature's own 'State' and 'Action'
        """, severity: .warning)
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
    return feature.absentMembers(
      GeneratedType(in: declaration, access: access, context: context))
  }
}

extension ReducerMacro: MemberAttributeMacro {
  static func expansion(
    of node: AttributeSyntax,
    attachedTo declaration: some DeclGroupSyntax,
    providingAttributesFor member: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [AttributeSyntax] {
    let isEnum = declaration.is(EnumDeclSyntax.self)
    guard isEnum || declaration.is(StructDeclSyntax.self) else { return [] }
    if let property = member.as(VariableDeclSyntax.self) {
      guard property.soleName?.plain == "body", property.isStatic == isEnum,
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
