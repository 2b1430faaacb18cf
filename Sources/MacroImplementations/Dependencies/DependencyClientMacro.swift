import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@DependencyClient`: endpoints for the closures of a struct, and its initialisers.
enum DependencyClientMacro {}

extension DependencyClientMacro: MemberAttributeMacro {
  static func expansion(
    of node: AttributeSyntax,
    attachedTo declaration: some DeclGroupSyntax,
    providingAttributesFor member: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [AttributeSyntax] {
    guard declaration.is(StructDeclSyntax.self), let variable = member.as(VariableDeclSyntax.self),
      let property = ClientProperty(variable), property.isEndpoint, !property.hasEndpointAttribute
    else { return [] }
    return ["@DependencyEndpoint"]
  }
}

extension DependencyClientMacro: MemberMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard declaration.is(StructDeclSyntax.self) else {
      context.refuse(node, "'@DependencyClient' can only be applied to struct types")
      return []
    }
    let properties: [ClientProperty] = declaration.memberBlock.members.compactMap {
      $0.decl.as(VariableDeclSyntax.self).flatMap(ClientProperty.init)
    }
    let ownAccess = ClientProperty.Access(declaration.modifiers)
    var access: ClientProperty.Access = max(ownAccess, .internal)
    var parameters: [String] = []
    var assignments: [String] = []
    // Endpoints have defaults and may be set only after all other properties.
    var endpointAssignments: [String] = []
    var isCompleteWithoutArguments = true
    for property in properties {
      let hasDefault: Bool =
        property.initialValue != nil || property.isOptional || isMacroEndpoint(property)
      if !hasDefault { isCompleteWithoutArguments = false }
      if property.isConstant, property.initialValue != nil { continue }
      // What nobody outside may see is left at its default, or else limits the initialiser.
      if property.access < .internal, hasDefault { continue }
      guard let type = property.type else {
        context.refuse(
          property.declaration,
          """
          '@DependencyClient' requires '\(property.name)' to have a type annotation in order to \
          generate a memberwise initializer
          """)
        return []
      }
      access = min(access, property.access)
      let isEscaping: Bool = property.function != nil
      var parameter = "\(property.name): \(isEscaping ? "@escaping " : "")\(type)"
      if !isEscaping, let value = property.initialValue { parameter += " = \(value)" }
      if !isEscaping, property.initialValue == nil, property.isOptional { parameter += " = nil" }
      parameters.append(parameter)
      let assignment = "self.\(property.name) = \(property.name)"
      if isMacroEndpoint(property) {
        endpointAssignments.append(assignment)
      } else {
        assignments.append(assignment)
      }
    }
    let initializers: [[String]] = declaration.memberBlock.members.compactMap {
      $0.decl.as(InitializerDeclSyntax.self)?.signature.parameterClause.parameters.map {
        $0.firstName.text
      }
    }
    var members: [DeclSyntax] = []
    let labels: [String] = parameters.map { String($0.prefix { $0 != ":" }) }
    if !parameters.isEmpty, !initializers.contains(labels) {
      members.append(
        """
        \(raw: access.prefix)init(
          \(raw: parameters.joined(separator: ",\n  "))
        ) {
          \(raw: (assignments + endpointAssignments).joined(separator: "\n  "))
        }
        """)
    }
    if isCompleteWithoutArguments, !initializers.contains([]) {
      members.append("\(raw: max(ownAccess, .internal).prefix)init() {}")
    }
    return members
  }

  /// Whether the property gets, or has, the attribute that makes an endpoint of it.
  private static func isMacroEndpoint(_ property: ClientProperty) -> Bool {
    property.isEndpoint
      && !property.declaration.attributes.carriesAttribute("DependencyEndpointIgnored")
  }
}

extension ClientProperty {
  /// Whether the property is an optional, which a `var` starts at nil.
  var isOptional: Bool {
    guard !isConstant, let type else { return false }
    return type.is(OptionalTypeSyntax.self) || type.is(ImplicitlyUnwrappedOptionalTypeSyntax.self)
  }
}

/// `@DependencyEndpointIgnored`: says that a closure is no endpoint; writes nothing.
enum DependencyEndpointIgnoredMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    []
  }
}
