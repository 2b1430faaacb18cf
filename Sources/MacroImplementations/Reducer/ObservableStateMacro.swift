import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@ObservableState`: the registrar and identity of a state, and observed properties.
enum ObservableStateMacro {}

extension ObservableStateMacro: ExtensionMacro {
  static func expansion(
    of node: AttributeSyntax,
    attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    guard !protocols.isEmpty,
      declaration.is(StructDeclSyntax.self)
        || declaration.is(EnumDeclSyntax.self)
    else { return [] }
    let written = declaration.inheritanceClause
    let names: [(name: String, module: String)] = [
      ("ObservableState", "ComposableArchitecture"), ("Observable", "Observation"),
      ("_$BindableState", "ComposableArchitecture"),
    ]
    let properties = declaration.as(StructDeclSyntax.self).flatMap(BindableProperties.init)
    let conformances = names.filter { name, _ in
      protocols.contains { $0.lastName == name } && !written.inherits(name)
        && (name != "_$BindableState" || properties != nil)
    }.map { name, module in "nonisolated \(module).\(name)" }
    guard !conformances.isEmpty else { return [] }
    let list = conformances.joined(separator: ", ")
    let source: DeclSyntax = """
      \(raw: declaration.attributes.availability)extension \(type.trimmed): \(raw: list) {}
      """
    return [source.cast(ExtensionDeclSyntax.self)]
  }
}

extension ObservableStateMacro: MemberMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    let access = ExpansionAccess(of: declaration, in: context).prefix
    if let declaration = declaration.as(EnumDeclSyntax.self) {
      return ObservableEnumMembers(declaration).declarations(access: access)
    }
    guard let structure = declaration.as(StructDeclSyntax.self) else {
      let name = declaration.asProtocol((any NamedDeclSyntax).self)?.name.text ?? ""
      context.diagnose(
        declaration.introducer,
        """
        '@ObservableState' cannot be applied to \(declaration.introducer.text) type '\(name)'; \
        a state is a struct or an enum
        """
      )
      return []
    }
    guard let bindable = BindableProperties(structure) else { return members(access: access) }
    let observed = ObservedProperties(structure).declaration(access: access)
    return members(access: access) + [bindable.declaration(access: access)]
      + (observed.map { [$0] } ?? [])
  }

  /// What a struct holds to be observed.
  static func members(access: String) -> [DeclSyntax] {
    return [
      """
      @ComposableArchitecture.ObservationStateIgnored
      \(raw: access)var _$observationRegistrar = ComposableArchitecture.ObservationStateRegistrar()
      """,
      """
      \(raw: access)nonisolated var _$id: ComposableArchitecture.ObservableStateID {
        _$observationRegistrar.id
      }
      """,
      """
      \(raw: access)nonisolated mutating func _$willModify() {
        _$observationRegistrar._$willModify()
      }
      """,
    ]
  }
}

extension ObservableStateMacro: MemberAttributeMacro {
  static func expansion(
    of node: AttributeSyntax,
    attachedTo declaration: some DeclGroupSyntax,
    providingAttributesFor member: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [AttributeSyntax] {
    guard declaration.is(StructDeclSyntax.self),
      let property = member.as(VariableDeclSyntax.self), property.isObservable
    else { return [] }
    let marks = ["ObservationStateIgnored", "ObservationStateTracked"]
    guard !marks.contains(where: property.attributes.hasAttribute) else { return [] }
    for (name, replacement) in [
      ("ObservationIgnored", "ObservationStateIgnored"),
      ("ObservationTracked", "ObservationStateTracked"),
      ("PresentationState", "Presents"),
    ] {
      guard let attribute = property.attributes.firstAttribute(name) else { continue }
      context.diagnose(
        attribute,
        "'@\(name)' cannot be used in '@ObservableState'",
        fixIts: [
          FixIt(
            message: ExpansionMessage(message: "Use '@\(replacement)' instead"),
            changes: [
              .replace(
                oldNode: Syntax(attribute.attributeName),
                newNode: Syntax(
                  TypeSyntax(IdentifierTypeSyntax(name: .identifier(replacement)))
                    .with(\.trailingTrivia, attribute.attributeName.trailingTrivia)))
            ]
          )
        ]
      )
      return []
    }
    // These hold a reference or a presentation of their own, and tell of their changes themselves.
    let wrappers = ["Presents", "Shared", "SharedReader", "Fetch", "FetchAll", "FetchOne"]
    if wrappers.contains(where: property.attributes.hasAttribute) {
      return ["@ComposableArchitecture.ObservationStateIgnored"]
    }
    return ["@ComposableArchitecture.ObservationStateTracked"]
  }
}

/// `@ObservationStateIgnored`: a mark that other macros look for.
enum ObservationStateIgnoredMacro: AccessorMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingAccessorsOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [AccessorDeclSyntax] {
    []
  }
}

extension TypeSyntax {
  /// The last component of a type's name.
  var lastName: String {
    if let member = self.as(MemberTypeSyntax.self) { return member.name.text }
    if let identifier = self.as(IdentifierTypeSyntax.self) { return identifier.name.text }
    return trimmedDescription
  }
}

extension VariableDeclSyntax {
  /// Whether this is a stored `var` of an instance.
  var isObservable: Bool {
    guard bindingSpecifier.tokenKind == .keyword(.var) else { return false }
    let exceptions: [Keyword] = [.static, .class, .lazy]
    guard
      !modifiers.contains(where: { modifier in
        exceptions.contains { modifier.name.tokenKind == .keyword($0) }
      })
    else { return false }
    return bindings.allSatisfy { binding in
      binding.pattern.is(IdentifierPatternSyntax.self) && !binding.hasGetter
    }
  }
}

extension PatternBindingSyntax {
  /// Whether the binding has a getter of its own; observers alone leave it stored.
  var hasGetter: Bool {
    switch accessorBlock?.accessors {
    case nil: return false
    case .getter: return true
    case .accessors(let accessors):
      return accessors.contains { accessor in
        let observers: [Keyword] = [.willSet, .didSet]
        return !observers.contains { accessor.accessorSpecifier.tokenKind == .keyword($0) }
      }
    @unknown default: return true
    }
  }
}
